// The stream key of a project: one at a time. The relay finds the project by it; editors see and replace it.
import type { HistoryAction } from '#contract/entities/history.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { isFound, newStreamKey, secretKind } from '#server/core/found-secrets.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { limitsOf, refuseOverLimit } from '#server/domain/tariffs/plan-limits.ts'

const secrets = secretKind('stream key')

/** Who changes what. */
interface Change {
  readonly projectId: number
  readonly userId: number
}

const firstWaitMinutes = 1

/** The key of a project and its settings. */
export interface StreamKeyState {
  readonly key: string
  readonly isRecorded: boolean
  readonly waitMinutes: number
  readonly waitMaxMinutes: number
}

/** Reads the key of a project, and makes it if nobody has asked for it before. */
export async function readStreamKey(services: Services, projectId: number): Promise<StreamKeyState> {
  const { db } = services
  const row = (await find(db, projectId)) ?? (await transaction(db, (trx) => ensure(services, trx, projectId)))
  const { waitMaxMinutes } = await limitsOf(services, db, projectId)
  return {
    key: secrets.show(services, row),
    ...settingsOf(row, waitMaxMinutes),
    waitMaxMinutes,
  }
}

/** Replaces the key. The old one finds nobody from the moment this is committed. @returns the new one */
export async function rotateStreamKey(services: Services, by: Change): Promise<string> {
  const key = newStreamKey()
  const values = { ...secrets.store(services, key), date_rotate: iso(services.clock.now()) }
  await change(services, by, 'stream_key_rotated', values)
  return key
}

/** Whether broadcasts are recorded. */
export const setRecord = (services: Services, by: Change, isRecorded: boolean): Promise<void> =>
  change(services, by, isRecorded ? 'stream_record_on' : 'stream_record_off', { record: isRecorded ? 1 : 0 })

/** How long channels wait for a lost encoder. @throws RuleError `PlanLimitReached` for more than the plan allows */
export async function setWait(services: Services, by: Change, minutes: number): Promise<void> {
  await refuseOverLimit(services, services.db, by.projectId, 'wait_minutes', minutes)
  await change(services, by, 'stream_wait', { wait_minutes: minutes }, { minutes })
}

/** Changes the row of a project, and notes who did. */
const change = (
  services: Services,
  by: Change,
  action: HistoryAction,
  values: Partial<Row>,
  details?: Readonly<Record<string, unknown>>,
): Promise<void> =>
  transaction(services.db, async (trx) => {
    await ensure(services, trx, by.projectId)
    await trx.updateTable('stream_keys').set(values).where('project_id', '=', by.projectId).execute()
    await recordHistory(services, trx, { ...by, action, ...(details && { details }) })
  })

/** Whose key it is, with what the relay has to know; null for one that is nobody's, or no longer. */
export async function findProjectByStreamKey(
  services: Pick<Services, 'db' | 'clock' | 'config'>,
  key: string,
): Promise<{ readonly projectId: number; readonly isRecorded: boolean; readonly waitMinutes: number } | null> {
  const hash = secrets.hashOf(services, key)
  const row = await services.db.selectFrom('stream_keys').selectAll().where('key_hash', '=', hash).executeTakeFirst()
  if (!isFound(row, hash)) return null
  const { waitMaxMinutes } = await limitsOf(services, services.db, row.project_id)
  return { projectId: row.project_id, ...settingsOf(row, waitMaxMinutes) }
}

/** The key of a project as it is; null where nobody has asked for one yet. */
export async function streamKeyOf(
  services: Pick<Services, 'db' | 'config'>,
  projectId: number,
): Promise<string | null> {
  const row = await find(services.db, projectId)
  return row ? secrets.show(services, row) : null
}

/** What a broadcast that runs depends on: which key it came in by, how long its channels wait, whether it is recorded. */
export async function streamKeyOnAir(
  db: Db,
  projectId: number,
): Promise<{ readonly keyMark: string; readonly waitMinutes: number; readonly isRecorded: boolean }> {
  const row = await find(db, projectId)
  return {
    keyMark: row?.key_hash ?? '',
    waitMinutes: row?.wait_minutes ?? firstWaitMinutes,
    isRecorded: row?.record === 1,
  }
}

/** A plan that allows less than the one before shortens the wait; the choice is kept for when it allows it again. */
const settingsOf = (row: Pick<Row, 'record' | 'wait_minutes'>, waitMaxMinutes: number) => ({
  isRecorded: row.record === 1,
  waitMinutes: Math.min(row.wait_minutes, waitMaxMinutes),
})

const find = (db: Db | Trx, projectId: number) =>
  db.selectFrom('stream_keys').selectAll().where('project_id', '=', projectId).executeTakeFirst()

type Row = NonNullable<Awaited<ReturnType<typeof find>>>

/** The row of a project, made if there is none: of two at a time one makes it. */
async function ensure(services: Services, trx: Trx, projectId: number): Promise<Row> {
  await trx
    .insertInto('stream_keys')
    .values({
      project_id: projectId,
      ...secrets.store(services, newStreamKey()),
      record: 0,
      wait_minutes: firstWaitMinutes,
      date_rotate: iso(services.clock.now()),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return trx.selectFrom('stream_keys').selectAll().where('project_id', '=', projectId).executeTakeFirstOrThrow()
}

// SQL of broadcasts that schedules plan at platforms.
import type { Insertable, Selectable } from 'kysely'
import { canHeal, platformTypes } from '#contract/platforms/platforms.ts'
import type { JobName } from '#server/db/jobs.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { type MarkedKey, markedStore } from './marked-store.ts'

export type PlannedRow = Selectable<Tables['planned_broadcasts']>

/** Kind of the job that keeps a planned broadcast as its schedule wants it; the key is the schedule and the channel. */
export const plannedKind = { kind: 'broadcasts.planned' } as const

/** Returns the job of a channel in a schedule. */
export const plannedJobOf = (scheduleId: number, channelId: number): JobName => ({
  ...plannedKind,
  key: `${scheduleId}:${channelId}`,
})

/** Each row can be claimed: a finished one is removed. The owner is the schedule. */
const store = markedStore('planned_broadcasts', 'schedule_id', ['waiting', 'inserting', 'inserted', 'bound'])
export const { find: findPlanned, claim: claimPlanned, findClaimMs: findPlannedClaimMs } = store

export const keyOf = ({ schedule_id, channel_id }: Pick<PlannedRow, 'schedule_id' | 'channel_id'>): MarkedKey => ({
  ownerId: schedule_id,
  channelId: channel_id,
})

/** Inserts the row of a channel, unless there is one. */
export async function insertPlanned(trx: Trx, row: Insertable<Tables['planned_broadcasts']>): Promise<void> {
  await trx
    .insertInto('planned_broadcasts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Updates the row of a claim. @returns undefined when another run claimed it */
export const updatePlanned = (
  trx: Trx,
  row: PlannedRow,
  change: Partial<PlannedRow>,
  claimMs?: number,
): Promise<PlannedRow | undefined> => store.update(trx, keyOf(row), row.claim_until, change, claimMs)

/** Removes the row of a claim. */
export async function removePlanned(trx: Trx, { schedule_id, channel_id, claim_until }: PlannedRow): Promise<void> {
  await trx
    .deleteFrom('planned_broadcasts')
    .where('schedule_id', '=', schedule_id)
    .where('channel_id', '=', channel_id)
    .where('claim_until', '=', claim_until)
    .execute()
}

/** Returns the planned broadcasts of schedules. */
export async function listPlanned(db: ReadDb, scheduleIds: readonly number[]): Promise<PlannedRow[]> {
  if (scheduleIds.length === 0) return []
  return await db
    .selectFrom('planned_broadcasts')
    .selectAll()
    .where('schedule_id', 'in', scheduleIds)
    .orderBy('channel_id')
    .execute()
}

/** Returns the keys of all planned broadcasts, as the keys of their jobs. */
export const listPlannedKeys = async (db: ReadDb): Promise<string[]> =>
  (await db.selectFrom('planned_broadcasts').select(['schedule_id', 'channel_id']).execute()).map(
    ({ schedule_id, channel_id }) => plannedJobOf(schedule_id, channel_id).key,
  )

/** Returns the planned broadcast of a channel by its page. */
export const findPlannedByPage = (db: ReadDb, channelId: number, page: string): Promise<PlannedRow | undefined> =>
  db
    .selectFrom('planned_broadcasts')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('page', '=', page)
    .executeTakeFirst()

/** Returns the channels of a schedule whose platforms can have planned broadcasts: the named ones, or all that are on. */
export async function listPlannable(
  db: ReadDb,
  { project_id, channel_ids }: Pick<Selectable<Tables['schedules']>, 'project_id' | 'channel_ids'>,
): Promise<number[]> {
  const named = JSON.parse(channel_ids) as number[]
  const rows = await db
    .selectFrom('project_channels as link')
    .innerJoin('channels', 'channels.id', 'link.channel_id')
    .select('link.channel_id')
    .where('link.project_id', '=', project_id)
    .where('channels.type', 'in', platformTypes.filter(canHeal))
    .$if(named.length > 0, (query) => query.where('link.channel_id', 'in', named))
    .$if(named.length === 0, (query) => query.where('link.active', '=', 1))
    .execute()
  return rows.map(({ channel_id }) => channel_id)
}

/** Lets what the platform refused of a schedule be requested again. */
export async function updateRefused(trx: Trx, scheduleId: number): Promise<void> {
  await trx.updateTable('planned_broadcasts').set({ refused: null }).where('schedule_id', '=', scheduleId).execute()
}

// SQL of schedules and their files.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type ScheduleRow = Selectable<Tables['schedules']>

/** Kind of the jobs that begin the runs of schedules; the key is the schedule. */
export const scheduleKind = { kind: 'broadcasts.schedule' } as const

/** Returns a schedule of a project. */
export const findSchedule = (db: ReadDb, projectId: number, id: number): Promise<ScheduleRow | undefined> =>
  db.selectFrom('schedules').selectAll().where('project_id', '=', projectId).where('id', '=', id).executeTakeFirst()

/** Returns a schedule of any project. */
export const findScheduleById = (db: ReadDb, id: number): Promise<ScheduleRow | undefined> =>
  db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks a schedule until the transaction ends. */
export const lockSchedule = (trx: Trx, id: number): Promise<ScheduleRow | undefined> =>
  trx.selectFrom('schedules').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Returns the schedules of a project. */
export const listSchedules = (db: ReadDb, projectId: number): Promise<ScheduleRow[]> =>
  db.selectFrom('schedules').selectAll().where('project_id', '=', projectId).orderBy('id').execute()

/** Returns the schedules that have a further run. */
export const listComing = async (db: ReadDb): Promise<number[]> =>
  (await db.selectFrom('schedules').select('id').where('date_next', 'is not', null).execute()).map(({ id }) => id)

/** Returns the begin of the next run of a project after a time, ISO 8601; null: none is planned. */
export async function findNextBegin(db: ReadDb, projectId: number, now: string): Promise<string | null> {
  const later = await db
    .selectFrom('schedules')
    .select(({ fn }) => fn.min('date_next').as('date'))
    .where('project_id', '=', projectId)
    .where('date_next', '>', now)
    .executeTakeFirst()
  // Those that are about to begin are runs already.
  const soon = await db
    .selectFrom('schedule_runs')
    .select(({ fn }) => fn.min('date_occurrence').as('date'))
    .where('project_id', '=', projectId)
    .where('date_over', 'is', null)
    .where('date_occurrence', '>', now)
    .executeTakeFirst()
  const [first] = [soon?.date, later?.date].filter((date) => typeof date === 'string').toSorted()
  return first ?? null
}

/** Counts the schedules of a project that have a further run. */
export const countComing = (trx: ReadDb, projectId: number, except: number): Promise<number> =>
  countRows(
    trx
      .selectFrom('schedules')
      .where('project_id', '=', projectId)
      .where('date_next', 'is not', null)
      .where('id', '<>', except),
  )

export async function insertSchedule(trx: Trx, row: Insertable<Tables['schedules']>): Promise<number> {
  const { id } = await trx.insertInto('schedules').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateSchedule(trx: Trx, id: number, change: Updateable<Tables['schedules']>): Promise<void> {
  await trx.updateTable('schedules').set(change).where('id', '=', id).execute()
}

export async function removeSchedule(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('schedules').where('id', '=', id).execute()
}

/** Removes the oldest schedules of a project without a further run and without an open one. @param keep so many stay */
export async function removeOver(trx: Trx, projectId: number, keep: number): Promise<void> {
  const over = await trx
    .selectFrom('schedules')
    .select('id')
    .where('project_id', '=', projectId)
    .where('date_next', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('schedule_runs')
            .select('schedule_runs.id')
            .whereRef('schedule_runs.schedule_id', '=', 'schedules.id')
            .where('date_over', 'is', null),
        ),
      ),
    )
    .orderBy('id', 'desc')
    .offset(keep)
    // SQLite takes no offset without a limit.
    .limit(1_000)
    .execute()
  if (over.length === 0) return
  const ids = over.map(({ id }) => id)
  await trx.deleteFrom('schedule_runs').where('schedule_id', 'in', ids).execute()
  await trx.deleteFrom('schedules').where('id', 'in', ids).execute()
}

/** Returns the files of schedules in their order, by schedule. */
export async function listItems(db: ReadDb, scheduleIds: readonly number[]): Promise<ReadonlyMap<number, number[]>> {
  if (scheduleIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('schedule_items')
    .selectAll()
    .where('schedule_id', 'in', scheduleIds)
    .orderBy('schedule_id')
    .orderBy('position')
    .execute()
  const bySchedule = Map.groupBy(rows, ({ schedule_id }) => schedule_id)
  return new Map([...bySchedule].map(([id, all]) => [id, all.map(({ media_id }) => media_id)]))
}

/** Replaces the files of a schedule. */
export async function updateItems(trx: Trx, scheduleId: number, mediaIds: readonly number[]): Promise<void> {
  await trx.deleteFrom('schedule_items').where('schedule_id', '=', scheduleId).execute()
  const rows = mediaIds.map((media_id, position) => ({ schedule_id: scheduleId, position, media_id }))
  await trx.insertInto('schedule_items').values(rows).execute()
}

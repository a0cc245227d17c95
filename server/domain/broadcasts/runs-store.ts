// SQL of the runs of schedules.
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type RunRow = Selectable<Tables['schedule_runs']>

/** Kind of the jobs that lead runs to their end; the key is the run. */
export const runKind = { kind: 'broadcasts.run' } as const

/** Runs of a schedule that are kept. */
export const runsKept = 50

export const findRun = (db: ReadDb, id: number): Promise<RunRow | undefined> =>
  db.selectFrom('schedule_runs').selectAll().where('id', '=', id).executeTakeFirst()

const openRuns = (db: ReadDb) => db.selectFrom('schedule_runs').selectAll().where('date_over', 'is', null)

/** Returns the runs of a project that are not over, in the order of their times. */
export const listOpenRuns = (db: ReadDb, projectId: number): Promise<RunRow[]> =>
  openRuns(db).where('project_id', '=', projectId).orderBy('date_occurrence').orderBy('id').execute()

/** Locks those runs until the transaction ends. */
export const lockOpenRuns = (trx: Trx, projectId: number): Promise<RunRow[]> =>
  openRuns(trx).where('project_id', '=', projectId).orderBy('id').forUpdate().execute()

/** Returns the runs that a node plays, or is about to. @param node null: runs without one */
export const listRunsOfNode = (db: ReadDb, node: string | null): Promise<RunRow[]> =>
  openRuns(db)
    .where('node', node === null ? 'is' : '=', node)
    .orderBy('id')
    .execute()

/** Returns the ids of all runs that are not over. */
export const listOpenRunIds = async (db: ReadDb): Promise<number[]> =>
  (await db.selectFrom('schedule_runs').select('id').where('date_over', 'is', null).execute()).map(({ id }) => id)

/** Returns the last run of each schedule that is over. */
export async function listLastRuns(db: ReadDb, scheduleIds: readonly number[]): Promise<RunRow[]> {
  if (scheduleIds.length === 0) return []
  const last = db
    .selectFrom('schedule_runs')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('schedule_id', 'in', scheduleIds)
    .where('date_over', 'is not', null)
    .groupBy('schedule_id')
  return db.selectFrom('schedule_runs').selectAll().where('id', 'in', last).execute()
}

/** Returns the number of missed runs, by schedule. */
export async function countMissed(
  db: ReadDb,
  scheduleIds: readonly number[],
): Promise<ReadonlyMap<number | null, number>> {
  if (scheduleIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('schedule_runs')
    .select(['schedule_id', ({ fn }) => fn.countAll<number>().as('total')])
    .where('schedule_id', 'in', scheduleIds)
    .where('state', '=', 'missed')
    .groupBy('schedule_id')
    .execute()
  return new Map(rows.map(({ schedule_id, total }) => [schedule_id, Number(total)]))
}

/** Inserts the run of an occurrence, unless it has one. @returns its id; undefined: it had one */
export async function insertRun(trx: Trx, row: Insertable<Tables['schedule_runs']>): Promise<number | undefined> {
  const inserted = await trx
    .insertInto('schedule_runs')
    .values(row)
    .onConflict((conflict) => conflict.columns(['schedule_id', 'date_occurrence']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** Updates a run that is not over. @param isUnbegun only one that has not begun @returns false when it is over, or gone */
export async function updateOpenRun(
  db: Db | Trx,
  id: number,
  change: Updateable<Tables['schedule_runs']>,
  isUnbegun = false,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('schedule_runs')
    .set(change)
    .where('id', '=', id)
    .where('date_over', 'is', null)
    .$if(isUnbegun, (query) => query.where('date_admit', 'is', null))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function removeRun(db: Db | Trx, id: number): Promise<void> {
  await db.deleteFrom('schedule_runs').where('id', '=', id).execute()
}

/** Removes runs that are over: those of a schedule beyond the newest `runsKept`. */
export async function removeOldRuns(trx: Trx, scheduleId: number): Promise<void> {
  const old = await trx
    .selectFrom('schedule_runs')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('date_over', 'is not', null)
    .orderBy('id', 'desc')
    .offset(runsKept)
    .limit(1_000)
    .execute()
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  await trx.deleteFrom('schedule_runs').where('id', 'in', ids).execute()
}

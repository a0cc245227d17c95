// SQL of stats keys.
import type { Insertable, Selectable } from 'kysely'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type StatsKeyRow = Selectable<Tables['stats_keys']>

/** Returns the stats key of a project. */
export const findStatsKey = (db: ReadDb, projectId: number): Promise<StatsKeyRow | undefined> =>
  db.selectFrom('stats_keys').selectAll().where('project_id', '=', projectId).executeTakeFirst()

/** Returns the stats key with a hash. */
export const findStatsKeyByHash = (db: ReadDb, hash: string): Promise<StatsKeyRow | undefined> =>
  db.selectFrom('stats_keys').selectAll().where('key_hash', '=', hash).executeTakeFirst()

/** Inserts a stats key unless the project has one. @returns the stored one */
export async function insertStatsKey(trx: Trx, row: Insertable<Tables['stats_keys']>): Promise<StatsKeyRow> {
  await trx
    .insertInto('stats_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return trx.selectFrom('stats_keys').selectAll().where('project_id', '=', row.project_id).executeTakeFirstOrThrow()
}

/** Inserts the stats key of a project, or replaces it. */
export async function upsertStatsKey(trx: Trx, row: Insertable<Tables['stats_keys']>): Promise<void> {
  const { project_id: _, ...values } = row
  await trx
    .insertInto('stats_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .execute()
}

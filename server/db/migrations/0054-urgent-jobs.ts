// Time of a schedule that skips the backoff and came during a run: it holds when the run fails.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('urgent', 'bigint').execute()
}

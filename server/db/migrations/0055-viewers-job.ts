// Viewers are counted by a periodic job, so that broadcasts need no time of their last count.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('broadcasts').dropColumn('date_viewers').execute()
}

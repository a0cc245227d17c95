// Custom channels: addresses outside their platform, which the tariff limits.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('channels')
    .addColumn('custom', 'integer', (col) => col.notNull().defaultTo(0))
    .execute()
  await sql`update channels set custom = 1 where type in ('custom', 'srt')`.execute(db)
}

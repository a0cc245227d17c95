// Number of the last change of the starred message of a broadcast.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('chat_heads')
    .addColumn('star_seq', 'integer', (col) => col.notNull().defaultTo(0))
    .execute()
}

// Numbers of the last changes of chat messages and stars, by the counter of the broadcast that also gives `seq`.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('chat_messages')
    .addColumn('rev', 'integer', (col) => col.notNull().defaultTo(0))
    .execute()
  await sql`update chat_messages set rev = seq`.execute(db)
  await db.schema.createIndex('chat_messages_rev').on('chat_messages').columns(['broadcast_id', 'rev']).execute()
  await db.schema.alterTable('chat_heads').renameColumn('star_seq', 'star_rev').execute()
  await sql`update chat_heads set star_rev = seq where star_rev > 0`.execute(db)
}

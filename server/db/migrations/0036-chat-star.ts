// The message of a broadcast that its overlay shows until it is cleared.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('chat_heads').addColumn('star_event_id', 'varchar(64)').execute()
}

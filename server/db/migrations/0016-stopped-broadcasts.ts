// Broadcasts that a user stopped: they stay stopped while the encoder continues to send.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('broadcasts').addColumn('held_until', 'text').execute()
  await db.schema.alterTable('broadcasts').addColumn('stopped_by', 'integer').execute()
}

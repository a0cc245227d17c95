// Deleted recordings: the row stays until the node has deleted the file.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('recordings').addColumn('date_delete', 'text').execute()
  await db.schema.createIndex('recordings_broadcast').on('recordings').columns(['broadcast_id', 'id']).execute()
  await db.schema.createIndex('recordings_delete').on('recordings').columns(['node', 'date_delete']).execute()
}

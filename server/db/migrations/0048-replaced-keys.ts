// Hash of the stream key before the current one: an encoder that still uses it belongs to a known project.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('stream_keys').addColumn('replaced_hash', 'text').execute()
  await sql`create index stream_keys_replaced on stream_keys (replaced_hash) where replaced_hash is not null`.execute(
    db,
  )
}

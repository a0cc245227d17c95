// Tracks of the encoder that a project chose for a channel: JSON of `TrackChoice`; null: the main ones.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '#server/db/dialect.ts'
import { markStatements } from '#server/db/marks.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('project_channels').addColumn('tracks', 'text').execute()
  for (const statement of markStatements(dialect, {
    broadcasts: ['play'],
    stream_keys: ['lost_media_id', 'pause_media_id', 'quality'],
    project_channels: ['silence', 'ladder'],
  }))
    await sql.raw(statement).execute(db)
}

// Triggers that also count the changes on which the places of chats depend.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '#server/db/dialect.ts'
import { markStatements } from '#server/db/marks.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const statement of markStatements(dialect, {
    broadcasts: ['play'],
    stream_keys: ['hold', 'lost_media_id', 'pause_media_id', 'quality'],
    project_channels: ['tracks', 'silence', 'ladder'],
  }))
    await sql.raw(statement).execute(db)
}

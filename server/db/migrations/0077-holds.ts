// Time that broadcasts were without an encoder, and whether a stream that its encoder ended is held. Projects that chose another wait
// than the first one of a minute hold as before.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '#server/db/dialect.ts'
import { markStatements } from '#server/db/marks.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const counted = (table: string, column: string) =>
    db.schema
      .alterTable(table)
      .addColumn(column, 'integer', (col) => col.notNull().defaultTo(0))
      .execute()
  await counted('broadcasts', 'away_ms')
  await counted('stream_keys', 'hold')
  await sql`update stream_keys set hold = 1 where wait_minutes > 1`.execute(db)
  for (const statement of markStatements(dialect, {
    broadcasts: ['play'],
    stream_keys: ['lost_media_id', 'pause_media_id', 'quality'],
    project_channels: ['tracks', 'silence', 'ladder'],
  }))
    await sql.raw(statement).execute(db)
}

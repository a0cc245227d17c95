// Silence for a channel while the stream has no sound; null: where its platform needs sound.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '#server/db/dialect.ts'
import { markStatements } from '#server/db/marks.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('project_channels').addColumn('silence', 'text').execute()
  for (const statement of markStatements(dialect, { project_channels: ['ladder'], stream_keys: ['quality'] }))
    await sql.raw(statement).execute(db)
}

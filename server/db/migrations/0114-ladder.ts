// Smaller picture of the encoder for a channel that is too slow: `off`, or null where it is sent.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '#server/db/dialect.ts'
import { markStatements } from '#server/db/marks.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('project_channels').addColumn('ladder', 'text').execute()
  for (const statement of markStatements(dialect, { stream_keys: ['quality'] })) await sql.raw(statement).execute(db)
}

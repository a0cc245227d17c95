// Rule by which a poor main encoder gives way to the backup: JSON of `QualityRule`; null: none.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '#server/db/dialect.ts'
import { markStatements } from '#server/db/marks.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('stream_keys').addColumn('quality', 'text').execute()
  for (const statement of markStatements(dialect)) await sql.raw(statement).execute(db)
}

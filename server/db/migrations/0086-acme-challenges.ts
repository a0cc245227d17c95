// Answers to challenges of an authority that issues certificates (RFC 8555, 8.3), so that every replica can serve them.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('acme_challenges')
    .addColumn('token', 'text', (col) => col.primaryKey())
    .addColumn('answer', 'text', (col) => col.notNull())
    .addColumn('until', 'text', (col) => col.notNull())
    .execute()
}

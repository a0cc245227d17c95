// Uploaded files, so that every replica serves them and a backup of the database has them.
import type { Kysely } from 'kysely'
import type { Dialect } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('files')
    .addColumn('name', 'text', (col) => col.primaryKey())
    .addColumn('content', dialect === 'postgres' ? 'bytea' : 'blob', (col) => col.notNull())
    .execute()
}

// Adds its name to the table `migrations`: releases before Kysely's Migrator refuse a database with an unknown name there.
import type { Kysely } from 'kysely'

interface Old {
  migrations: { name: string }
}

export async function up(db: Kysely<Old>): Promise<void> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (col) => col.primaryKey())
    .execute()
  await db.insertInto('migrations').values({ name: '0022-kysely-migrator' }).execute()
}

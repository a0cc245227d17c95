// Adopts the migration records of releases with their own table of migrations.
import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import type { Dialect } from './dialect.ts'
import type { Database } from './open.ts'

/** Table of those releases. Migration 0022 keeps it, so that they refuse the database. */
const oldTable = 'migrations'
/** Advisory lock of those releases. */
const oldLock = 7_352_117

interface Records {
  kysely_migration: { name: string; timestamp: string }
  migrations: { name: string }
}

/**
 * Copies the records into Kysely's table once, in one transaction. Replicas that start at the same time wait for it.
 * @returns names of the migrations that the database has
 */
export const adoptMigrations = ({ db, dialect }: Database): Promise<readonly string[]> =>
  (db as unknown as Kysely<Records>).transaction().execute(async (trx) => {
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${oldLock})`.execute(trx)
    const tables = await tableNames(trx, dialect)
    const namesIn = async (table: keyof Records) =>
      tables.has(table) ? (await trx.selectFrom(table).select('name').execute()).map(({ name }) => name) : []
    const recorded = await namesIn(DEFAULT_MIGRATION_TABLE)
    if (recorded.length > 0) return recorded
    const names = await namesIn(oldTable)
    if (names.length === 0) return []
    // The same columns as the Migrator creates.
    await trx.schema
      .createTable(DEFAULT_MIGRATION_TABLE)
      .ifNotExists()
      .addColumn('name', 'varchar(255)', (col) => col.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', (col) => col.notNull())
      .execute()
    const timestamp = new Date().toISOString()
    await trx
      .insertInto(DEFAULT_MIGRATION_TABLE)
      .values(names.map((name) => ({ name, timestamp })))
      .execute()
    return names
  })

/** Names of all tables. Kysely's introspection on SQLite reads the columns of each table too. */
async function tableNames(db: Kysely<Records>, dialect: Dialect): Promise<ReadonlySet<string>> {
  const names =
    dialect === 'postgres'
      ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
      : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  return new Set((await names.execute(db)).rows.map(({ name }) => name))
}

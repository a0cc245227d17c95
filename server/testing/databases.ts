// Databases of tests: a separate one for each world, on SQLite or on the PostgreSQL of `DATABASE_URL`.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { migrate } from '#server/db/migrate.ts'
import { type Database, openDatabase, type PostgresSource } from '#server/db/open.ts'

/** Long, because some tests send hundreds of concurrent requests on a busy machine. */
const patience = { connectMs: 120_000, answerMs: 120_000 }

/** Creates a separate database as `DATABASE_URL` names it: empty for SQLite, or a new schema. */
export async function emptyDatabaseUrl(): Promise<{ url: string; drop: () => Promise<void> }> {
  const url = process.env['DATABASE_URL']
  if (!url) return { url: '', drop: async () => undefined }
  const { schema, drop } = await emptySchema(url)
  const own = new URL(url)
  own.searchParams.set('options', `-c search_path=${schema}`)
  return { url: own.href, drop }
}

/** Environment variable with the start of the names of schemas, which `scripts/house/service-for-tests.ts` drops. */
export const schemasVariable = 'TEST_SCHEMAS'

interface Schema {
  readonly name: string
  readonly root: Database
  /** Connections of the worlds in the schema: PostgreSQL reads its catalogs again for each new one. */
  readonly pool: Pool
}

async function newSchema(url: string): Promise<Schema> {
  const name = `${process.env[schemasVariable] ?? 'test'}_${randomUUID().replaceAll('-', '')}`
  const root = await openDatabase({ url, schema: name, poolMax: 1, ...patience })
  await sql`create schema ${sql.id(name)}`.execute(root.db)
  const { postgresPool } = await import('#server/db/postgres.ts')
  return { name, root, pool: postgresPool(sourceOf(url, name)) }
}

const sourceOf = (url: string, schema: string) => ({ url, schema, poolMax: 8, ...patience })

async function emptySchema(url: string) {
  const { name, root, pool } = await newSchema(url)
  const drop = async () => {
    await pool.end()
    await sql`drop schema ${sql.id(name)} cascade`.execute(root.db)
    await root.close()
  }
  return { schema: name, pool, drop }
}

/** A migrated schema, and what its migrations wrote. */
interface Migrated extends Schema {
  readonly written: readonly { readonly table: string; readonly rows: string }[]
  readonly sequences: readonly { readonly name: string; readonly last: string | null }[]
}

/** Migrated schemas of closed worlds, as their migrations left them: migrations take longer than most tests. */
const spare: Migrated[] = []

/** Returns a migrated schema. `drop` keeps it for the next world. */
async function migratedSchema(url: string) {
  const schema = spare.pop() ?? (await migrateSchema(await newSchema(url)))
  const drop = async () => {
    await unused(schema.pool)
    await restore(schema)
    spare.push(schema)
  }
  return { schema: schema.name, pool: schema.pool, drop }
}

/** Waits until a pool has all its connections back. */
async function unused(pool: Pool): Promise<void> {
  while (pool.idleCount < pool.totalCount || pool.waitingCount > 0) await once(pool, 'release')
}

async function migrateSchema(schema: Schema): Promise<Migrated> {
  const { name, root } = schema
  await migrate(root)
  const written = []
  for (const table of await usedTables(schema)) {
    const all = sql<{ rows: string }>`select coalesce(json_agg(t), '[]')::text as rows from ${sql.table(table)} t`
    written.push({ table, rows: (await all.execute(root.db)).rows[0]?.rows ?? '[]' })
  }
  const { rows: sequences } = await sql<{ name: string; last: string | null }>`
    select sequencename as name, last_value::text as last from pg_sequences where schemaname = ${name}`.execute(root.db)
  return { ...schema, written, sequences }
}

/** Restores rows and sequences of the migrations. */
async function restore(schema: Migrated): Promise<void> {
  const { root, written, sequences } = schema
  await empty(root, await usedTables(schema))
  await root.db.transaction().execute(async (trx) => {
    // Triggers of the other rows may have counted versions of projects.
    for (const { table, rows } of written)
      await sql`insert into ${sql.table(table)}
        select * from json_populate_recordset(null::${sql.table(table)}, ${rows}::json)
        on conflict do nothing`.execute(trx)
    const values = sequences.map(
      ({ name, last }) => sql`setval(${`"${name}"`}::regclass, ${last ?? '1'}::bigint, ${last !== null})`,
    )
    await sql`select ${sql.join(values)}`.execute(trx)
  })
}

/**
 * Deletes all rows. `truncate` writes new files for every table that references one of these and for all indexes: 57 ms of
 * processor time for each world, against 3 ms. `vacuum` returns the tables to no pages, so that rows keep their order.
 */
async function empty({ db }: Database, tables: readonly string[]): Promise<void> {
  if (tables.length === 0) return
  const names = sql.join(tables.map((table) => sql.table(table)))
  const { rows } = await sql<{ is: string }>`select current_setting('is_superuser') as is`.execute(db)
  // Only a superuser may turn off the triggers that hold references and append-only tables.
  if (rows[0]?.is !== 'on') return void (await sql`truncate ${names} cascade`.execute(db))
  const deletions = tables.map((table) => `delete from "${table}";`).join(' ')
  await sql.raw(`do $$ begin set local session_replication_role = replica; ${deletions} end $$`).execute(db)
  await sql`vacuum (truncate) ${names}`.execute(db)
}

/** Names of tables that have rows, or had. A table comes after those that it references. */
async function usedTables({ name, root }: Schema): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c
    where c.relnamespace = ${name}::regnamespace and c.relkind = 'r' and c.relname not like 'kysely_%'
    and pg_relation_size(c.oid) > 0 order by c.oid`.execute(root.db)
  return rows.map((row) => row.name)
}

/** Settings of a pool of PostgreSQL. */
export type PoolOptions = Pick<PostgresSource, 'poolMax' | 'connectMs'>

/** Content of a migrated SQLite file: migrations take a third of the start of a service. */
let migrated: Promise<Buffer> | undefined

async function migrateFile(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-test-db-'))
  const file = join(folder, 'relaydeck.db')
  const database = await openDatabase({ file })
  await migrate(database)
  await database.close()
  const content = readFileSync(file)
  rmSync(folder, { recursive: true, force: true })
  return content
}

interface TestDatabase {
  readonly database: Database
  /** Opens further connections. SQLite has one file, which all connections share. */
  readonly connect: () => Promise<Database>
  readonly drop: () => Promise<void>
}

/** Creates a separate empty database. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const url = process.env['DATABASE_URL']
  return url ? inSchema(url, await emptySchema(url)) : inFile()
}

/** Creates a separate migrated database without rows. */
export async function migratedDatabase(pool: PoolOptions = {}): Promise<TestDatabase> {
  const url = process.env['DATABASE_URL']
  return url ? inSchema(url, await migratedSchema(url), pool) : inFile(await (migrated ??= migrateFile()))
}

async function inFile(content?: Buffer): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-test-db-'))
  const file = join(folder, 'relaydeck.db')
  if (content) writeFileSync(file, content)
  const database = await openDatabase({ file })
  const connect = async () => ({ ...database, close: async () => undefined })
  const drop = async () => rmSync(folder, { recursive: true, force: true })
  return { database, connect, drop }
}

async function inSchema(
  url: string,
  { schema, pool, drop }: Awaited<ReturnType<typeof emptySchema>>,
  options: PoolOptions = {},
): Promise<TestDatabase> {
  const source = sourceOf(url, schema)
  // A replica has connections of its own, as in the product.
  const connect = () => openDatabase({ ...source, ...options })
  const isUsual = Object.keys(options).length === 0
  return { database: await (isUsual ? openDatabase(source, pool) : connect()), connect, drop }
}

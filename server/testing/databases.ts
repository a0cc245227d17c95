// Databases of tests: a separate one for each world, on SQLite or on the PostgreSQL of `DATABASE_URL`.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
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

async function emptySchema(url: string) {
  const schema = `test_${randomUUID().replaceAll('-', '')}`
  const root = await openDatabase({ url, poolMax: 1, ...patience })
  await sql`create schema ${sql.id(schema)}`.execute(root.db)
  const drop = async () => {
    await sql`drop schema ${sql.id(schema)} cascade`.execute(root.db)
    await root.close()
  }
  return { schema, drop }
}

/** Settings of a pool of PostgreSQL. */
export type PoolOptions = Pick<PostgresSource, 'poolMax' | 'connectMs'>

/** A migrated SQLite file: migrations take a third of the start of a service. */
let migrated: Promise<Buffer | undefined> | undefined

/** Returns the content of a migrated SQLite file; undefined on PostgreSQL. */
export const migratedFile = (): Promise<Buffer | undefined> =>
  (migrated ??= process.env['DATABASE_URL'] ? Promise.resolve(undefined) : migrateFile())

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

/**
 * Creates a separate database and opens further connections to it. SQLite has one file, which all connections share.
 * @param content of the SQLite file
 */
export async function emptyDatabase(
  pool: PoolOptions = {},
  content?: Buffer,
): Promise<{
  database: Database
  connect: () => Promise<Database>
  drop: () => Promise<void>
}> {
  const url = process.env['DATABASE_URL']
  if (!url) {
    const folder = mkdtempSync(join(tmpdir(), 'relaydeck-test-db-'))
    const file = join(folder, 'relaydeck.db')
    if (content) writeFileSync(file, content)
    const database = await openDatabase({ file })
    const connect = async () => ({ ...database, close: async () => undefined })
    const drop = async () => rmSync(folder, { recursive: true, force: true })
    return { database, connect, drop }
  }
  const { schema, drop } = await emptySchema(url)
  const connect = () => openDatabase({ url, schema, poolMax: 8, ...patience, ...pool })
  return { database: await connect(), connect, drop }
}

// Copies of a whole database: SQLite by VACUUM INTO, PostgreSQL by pg_dump and pg_restore. None of them writes to the original.
import { spawn } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { faultOf } from './faults.ts'
import { isSqlite } from './fragments.ts'
import type { ReadDb } from './open.ts'

/** Why a backup or its restore failed: a sentence for the operator, without a stack. */
export class CopyError extends Error {
  override readonly name = 'CopyError'
}

/** What a copy contains, as of the moment that it shows. */
export interface Contents {
  /** Names of the migrations. */
  readonly schema: string[]
  /** Rows by table. */
  readonly counts: Record<string, number>
}

/** Rows of these tables are no data: probes come and go. */
const uncounted = new Set(['write_probes', 'kysely_migration_lock'])

/** Runs in a thread: VACUUM INTO and the counts read the whole file, and the service answers meanwhile. */
const vacuum = `
const { parentPort, workerData: { file, into } } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
try {
  const original = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  original.prepare('vacuum into ?').run(into)
  original.close()
  const copy = new DatabaseSync(into, { readOnly: true })
  const tables = copy.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'").all()
  const count = (name) => copy.prepare('select count(*) as n from "' + name + '"').get().n
  parentPort.postMessage({ counts: Object.fromEntries(tables.map(({ name }) => [name, count(name)])) })
} catch ({ message, code, errcode }) {
  parentPort.postMessage({ error: { message, code, errcode } })
}`

/** Copies a SQLite file in use to a new one. @returns the contents of the copy */
export async function copySqlite(file: string, into: string, schemaOf: () => Promise<string[]>): Promise<Contents> {
  interface Message {
    readonly counts: Record<string, number>
    readonly error?: object & { readonly message: string }
  }
  const worker = new Worker(vacuum, { eval: true, workerData: { file, into } })
  const { counts, error } = await new Promise<Message>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject)
  })
  if (error) throw Object.assign(new Error(error.message), error)
  return { schema: await schemaOf(), counts: counted(Object.entries(counts)) }
}

const counted = (counts: readonly (readonly [string, number])[]) =>
  Object.fromEntries(counts.filter(([name]) => !uncounted.has(name)).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Returns the contents of a database. */
export async function readContents(db: ReadDb): Promise<Contents> {
  const names = isSqlite(db)
    ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
    : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
  const counts: [string, number][] = []
  for (const { name } of (await names.execute(db)).rows) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(db)
    counts.push([name, Number(rows[0]?.n)])
  }
  return { schema: await listMigrations(db), counts: counted(counts) }
}

/** Returns the size of a database, bytes. */
export async function databaseBytes(db: ReadDb): Promise<number> {
  const size = isSqlite(db)
    ? sql<{ n: number }>`select page_count * page_size as n from pragma_page_count(), pragma_page_size()`
    : sql<{ n: number }>`select pg_database_size(current_database()) as n`
  return Number((await size.execute(db)).rows[0]?.n)
}

/** Returns the names of the migrations that a database has. */
export async function listMigrations(db: ReadDb): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Dumps PostgreSQL with `pg_dump -Fc`, from the snapshot of a transaction.
 * @param db the transaction: repeatable read
 * @returns the contents of the dump
 */
export async function dumpPostgres(db: ReadDb, url: string, into: string): Promise<Contents> {
  // The transaction waits for pg_dump.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
  await sql`set local statement_timeout = 0`.execute(db)
  const { rows } = await sql<{ snapshot: string; version: number }>`select pg_export_snapshot() as snapshot,
    current_setting('server_version_num')::integer / 10000 as version`.execute(db)
  const [known] = rows
  await refuseOlderTool('pg_dump', Number(known?.version))
  const contents = await readContents(db)
  const format = ['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${known?.snapshot}`]
  await runPostgres('pg_dump', url, [...format, `--file=${into}`])
  return contents
}

/** Creates a database beside that of a URL, and restores a dump into it. @returns its URL */
export async function restorePostgres(url: string, name: string, dump: string): Promise<string> {
  const made = withDatabase(url, name)
  await execute(url, `create database "${name}" template template0`)
  await runPostgres('pg_restore', made, ['--no-owner', '--no-privileges', '--exit-on-error', dump])
  return made
}

/** Removes a database that `restorePostgres` has created. */
export const dropPostgres = (url: string, name: string): Promise<void> =>
  execute(url, `drop database if exists "${name}" with (force)`)

/**
 * Gives a restored database the name of the present one, and that one another name.
 * @throws CopyError while a service is connected to the present one
 */
export async function swapPostgres(url: string, restored: string, kept: string): Promise<void> {
  const name = databaseOf(url)
  await execute(withDatabase(url, restored), `alter database "${name}" rename to "${kept}"`)
  await execute(withDatabase(url, kept), `alter database "${restored}" rename to "${name}"`)
}

const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1))

function withDatabase(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(name)}`
  return other.href
}

/** Runs one statement over a connection of its own: databases are made and renamed outside transactions. */
async function execute(url: string, statement: string): Promise<void> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
    await client.query(statement)
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (code === '55006') throw new CopyError('A service is connected to the database. Stop all replicas first')
    if (code === '42501')
      throw new CopyError('The user of DATABASE_URL may not create databases. Run: alter role … createdb')
    throw new CopyError(`The database of DATABASE_URL refuses: ${message}`, { cause: error })
  } finally {
    await client.end()
  }
}

/** Refuses a missing tool, and one that is older than the server. */
async function refuseOlderTool(tool: string, server: number): Promise<void> {
  const version = await runTool(tool, ['--version'])
  const major = Number(/(\d+)/.exec(version)?.[1])
  if (major < server)
    throw new CopyError(
      `${tool} ${major} is older than the server (PostgreSQL ${server}). Install postgresql-client-${server}`,
    )
}

/** Runs a tool of PostgreSQL. The password stands in its environment: arguments are visible to all users of a machine. */
function runPostgres(tool: string, url: string, args: readonly string[]): Promise<string> {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  return runTool(tool, [`--dbname=${address.href}`, ...args], password === '' ? {} : { PGPASSWORD: password })
}

/**
 * Runs a program to its end.
 * @returns its output
 * @throws CopyError when it is missing or fails; an error `ENOSPC` for a full disk
 */
export function runTool(tool: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C', ...more },
    })
    const [printed, failures]: string[][] = [[], []]
    child.stdout.on('data', (chunk) => printed?.push(String(chunk)))
    child.stderr.on('data', (chunk) => failures?.push(String(chunk)))
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new CopyError(`${tool} is not installed, or not in PATH`) : error),
    )
    child.once('close', (code, signal) => {
      const why = (failures?.join('') ?? '').trim().split('\n').slice(-3).join(' ')
      if (code === 0) resolve(printed?.join('') ?? '')
      else if (/no space left/i.test(why)) reject(Object.assign(new Error(why), { code: 'ENOSPC' }))
      else reject(new CopyError(`${tool} failed (${signal ?? code}): ${why}`))
    })
  })
}

/** Makes a sentence of a full disk. Other errors are thrown as they are. */
export const whenFull =
  (folder: string, remedy: string) =>
  (error: unknown): never => {
    if (faultOf(error) === 'full') throw new CopyError(`The disk of ${folder} is full. ${remedy}`, { cause: error })
    throw error
  }

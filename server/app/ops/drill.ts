// Drill: restores a backup into a place of its own and checks it. Nothing of the copy runs: no jobs, chats, mail, renewals or relay.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/core/settings.ts'
import { derivedKey } from '#server/core/secrets.ts'
import { CopyError, dropPostgres, readContents, restorePostgres, whenFull } from '#server/db/dump.ts'
import { migrate, planMigrations } from '#server/db/migrate.ts'
import { type Database, openDatabase } from '#server/db/open.ts'
import { claimSecret } from '#server/domain/installation/secret-check.ts'
import { getLedgerCheck } from '#server/domain/operator/ledger-check-store.ts'
import { copyName, type Manifest, unpack } from './archive.ts'
import { backupFolder } from './backup.ts'

/** A backup that can be restored. */
export interface Drilled {
  readonly date: string
  /** Rows by table. */
  readonly counts: Manifest['counts']
  readonly transactions: number
}

/** A restored copy of a database. */
export interface Copy {
  readonly database: Database
  /** Name of the copy in PostgreSQL; empty: a file of SQLite. */
  readonly name: string
}

/**
 * Restores a backup into a temporary place, checks it and removes it.
 * @throws CopyError, NewerSchemaError when it could not be restored
 */
export async function drillBackup(config: Config, file: string): Promise<Drilled> {
  const parent = backupFolder(config)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(parent, '.drill-'))
  let copy: Copy | null = null
  try {
    const manifest = await unpack(file, folder)
    copy = await openCopy(config, manifest, folder)
    return await checkCopy(config, copy.database, manifest, folder)
  } catch (error) {
    return whenFull(parent, 'The drill needs room for the unpacked backup')(error)
  } finally {
    await copy?.database.close()
    if (copy && copy.name !== '') await dropPostgres(config.databaseUrl, copy.name)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Opens the database of an unpacked backup: the file, or a new database beside that of DATABASE_URL. */
export async function openCopy(config: Config, { database: kind }: Manifest, folder: string): Promise<Copy> {
  const path = join(folder, copyName[kind])
  if (kind === 'sqlite') return { database: await openDatabase({ file: path }), name: '' }
  if (config.databaseUrl === '')
    throw new CopyError('This backup is of PostgreSQL. Set DATABASE_URL to a server that it can be restored to')
  const name = `relaydeck_restored_${randomBytes(4).toString('hex')}`
  try {
    return { database: await openDatabase({ url: await restorePostgres(config.databaseUrl, name, path) }), name }
  } catch (error) {
    await dropPostgres(config.databaseUrl, name)
    throw error
  }
}

/**
 * Checks a copy: rows, migrations, secret, ledger. Migrates it.
 * @throws CopyError for the first check that fails
 */
export async function checkCopy(
  { givenSecret }: Pick<Config, 'givenSecret'>,
  database: Database,
  { date, counts }: Manifest,
  folder: string,
): Promise<Drilled> {
  const { db } = database
  const restored = await readContents(db)
  const wrong = Object.entries(counts).find(([name, count]) => restored.counts[name] !== count)
  if (wrong)
    throw new CopyError(`The table ${wrong[0]} has ${restored.counts[wrong[0]] ?? 0} rows instead of ${wrong[1]}`)
  // A release runs, and makes backups, on the schema of a newer one above its floor.
  const { unknown } = await planMigrations(database)
  if (unknown.length > 0)
    throw new CopyError(
      `The backup belongs to a newer release (it has ${unknown.join(', ')}). Install that release first`,
    )
  await migrate(database)
  const secret = givenSecret || (await readFile(join(folder, 'secret'), 'utf8'))
  if (!(await claimSecret(db, derivedKey(secret, 'root'))))
    throw new CopyError(
      'SECRET is not the one of this backup. Set the SECRET that the installation had, or leave it empty',
    )
  const { unbalanced, differing, transactions } = await getLedgerCheck(db)
  if (unbalanced.length + differing.length > 0)
    throw new CopyError(
      `The ledger of this backup is wrong: ${unbalanced.length} transactions, ${differing.length} accounts`,
    )
  return { date, counts, transactions }
}

// Backup of an installation: one file with the database, the secret, papers, orders of certificates and texts of
// the operator.
import { access, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Config } from '#server/core/settings.ts'
import { iso } from '#server/core/clock.ts'
import { makeFolder } from '#server/core/folder.ts'
import {
  type Contents,
  copySqlite,
  CopyError,
  dumpPostgres,
  listMigrations,
  runTool,
  whenFull,
} from '#server/db/dump.ts'
import { isSqlite } from '#server/db/fragments.ts'
import { type Database, type Db, openDatabase } from '#server/db/open.ts'
import { updateInstallation } from '#server/domain/installation/store.ts'
import { currentRelease } from '#server/core/release.ts'
import { generatedSecret } from '#server/app/settings.ts'
import { cannotOpenPostgres, cannotUseDatabase, databaseFile } from '#server/app/start/start-error.ts'
import { mediaFolder } from '#server/storage/place.ts'
import { copyName, pack } from './archive.ts'
import { acmeFolder } from './certificate-files.ts'

export interface BackupOptions {
  /** Adds the recordings of this machine, and the films of the library. */
  readonly recordings?: boolean
  /** Keeps it beside the daily backups, whose rotation does not remove it. */
  readonly isBeforeUpgrade?: boolean
  /** Further files and folders by their name in the archive, such as `settings`. */
  readonly files?: Readonly<Record<string, string>>
  readonly now?: Date
}

/** A finished backup. */
export interface Backup {
  readonly file: string
  readonly bytes: number
  readonly date: string
}

/** Returns the folder of backups. */
export const backupFolder = ({ backupDir, dataDir }: Pick<Config, 'backupDir' | 'dataDir'>): string =>
  backupDir === '' ? join(dataDir, 'backups') : backupDir

/**
 * Makes a backup beside a running service, notes its time in the database, removes old backups, and runs BACKUP_COMMAND.
 * @param db of the configuration, open; of the service itself where the service makes the backup
 * @throws CopyError with a sentence for the operator
 */
export async function makeBackup(config: Config, db: Db, options: BackupOptions = {}): Promise<Backup> {
  const folder = backupFolder(config)
  const date = iso(options.now ?? new Date())
  const { version } = currentRelease()
  const name = options.isBeforeUpgrade === true ? `before-upgrade-of-${version}` : 'relaydeck'
  const file = join(folder, `${name}-${date.replaceAll(/[:-]|\.\d+/g, '')}.tar.gz`)
  const staging = join(folder, `.making-${process.pid}`)
  try {
    await makeFolder(folder)
    await rm(staging, { recursive: true, force: true })
    await mkdir(staging, { mode: 0o700 })
    const contents = await copyDatabase(config, db, staging)
    await writeFile(join(staging, 'secret'), secretOf(config), { mode: 0o600 })
    await linkFolders(config, options, staging)
    await pack(staging, { version, date, database: kindOf(db), ...contents }, file)
    await updateInstallation(db, { date_backup: date })
  } catch (error) {
    whenFull(folder, 'Free space on it, or set BACKUP_DIR to another disk')(error)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  await rotate(config, file)
  if (config.backupCommand !== '') await handOver(config.backupCommand, file)
  return { file, date, bytes: (await stat(file)).size }
}

/** Opens the database of the configuration, without migrating it. */
export async function openOriginal(config: Config): Promise<Database> {
  if (config.databaseUrl !== '') return openDatabase({ url: config.databaseUrl }).catch(cannotOpenPostgres)
  const file = databaseFile(config)
  await access(file).catch(() => {
    throw new CopyError(`There is no database ${file}. Check DATA_DIR, or start the service once`)
  })
  return openDatabase({ file }).catch(cannotUseDatabase(config))
}

const kindOf = (db: Db) => (isSqlite(db) ? 'sqlite' : 'postgres')

function copyDatabase(config: Config, db: Db, folder: string): Promise<Contents> {
  const into = join(folder, copyName[kindOf(db)])
  if (isSqlite(db)) return copySqlite(databaseFile(config), into, () => listMigrations(db))
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => dumpPostgres(trx, config.databaseUrl, into))
}

/** Returns the secret that a restored installation needs. */
export const secretOf = ({ givenSecret, dataDir }: Pick<Config, 'givenSecret' | 'dataDir'>): string =>
  givenSecret === '' ? generatedSecret(dataDir) : givenSecret

/** Links the folders that belong to the backup, where they exist. Films of a bucket stay there. */
async function linkFolders(config: Config, options: BackupOptions, staging: string): Promise<void> {
  const { dataDir, contentDir } = config
  const films = mediaFolder(config)
  const folders = {
    papers: join(dataDir, 'papers'),
    acme: acmeFolder({ dataDir }),
    content: contentDir,
    recordings: options.recordings === true ? join(dataDir, 'recordings') : null,
    // Written once and never changed: those that are newer than the copy of the database are removed a day after a restore.
    films: options.recordings === true && films !== null ? join(films, 'masters') : null,
    ...options.files,
  }
  for (const [name, target] of Object.entries(folders)) {
    const isThere = target !== null && (await stat(target).catch(() => null)) !== null
    if (isThere) await symlink(target, join(staging, name))
  }
}

const pattern = /^relaydeck-(\d{4})(\d\d)(\d\d)T\d{6}Z\.tar\.gz$/

/** Returns the names of the backups, newest first. */
export async function listBackups(config: Pick<Config, 'backupDir' | 'dataDir'>): Promise<string[]> {
  const names = await readdir(backupFolder(config)).catch(() => [])
  return names.filter((name) => pattern.test(name)).toSorted((a, b) => (a < b ? 1 : -1))
}

/** Removes old backups. With a clock that was set back, the one just made looks older than others. @param made stays */
async function rotate(config: Config, made: string): Promise<void> {
  const all = await listBackups(config)
  const kept = keptOf(all)
  for (const name of all.filter((each) => !kept.has(each) && each !== basename(made)))
    await rm(join(backupFolder(config), name))
}

const keptDays = 7
const keptWeeks = 4
const weekMs = 7 * 86_400_000

/** Returns the backups to keep: the newest of each of seven days, and of each of four weeks. @param names newest first */
export function keptOf(names: readonly string[]): ReadonlySet<string> {
  const dayOf = (name: string) => name.replace(pattern, '$1-$2-$3')
  const weekOf = (name: string) => String(Math.floor(Date.parse(dayOf(name)) / weekMs))
  return new Set([...newestOf(names, dayOf, keptDays), ...newestOf(names, weekOf, keptWeeks)])
}

function newestOf(names: readonly string[], periodOf: (name: string) => string, most: number): string[] {
  const newest = new Map<string, string>()
  for (const name of names) if (!newest.has(periodOf(name))) newest.set(periodOf(name), name)
  return [...newest.values()].slice(0, most)
}

/** Runs BACKUP_COMMAND with a finished backup. */
async function handOver(command: string, file: string): Promise<void> {
  await runTool('sh', ['-c', `${command} "$1"`, 'sh', file]).catch((error: unknown) => {
    if (!(error instanceof CopyError)) throw error
    throw new CopyError(`BACKUP_COMMAND did not take ${basename(file)}, which stays where it is. ${error.message}`)
  })
}

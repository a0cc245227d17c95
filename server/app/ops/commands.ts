// Commands of the terminal for backups and upgrades. They run without the service.
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '#server/core/settings.ts'
import { CopyError, databaseBytes, readContents } from '#server/db/dump.ts'
import { isKnownMigration, planMigrations } from '#server/db/migrate.ts'
import { updateInstallation } from '#server/domain/installation/store.ts'
import { databaseFile } from '#server/app/start/start-error.ts'
import { readManifestOf } from './archive.ts'
import { backupFolder, listBackups, makeBackup, openOriginal } from './backup.ts'
import { type Drilled, drillBackup } from './drill.ts'
import { restoreBackup } from './restore.ts'
import type { Preflight, WrittenSince } from './upgrade/child.ts'

/** A command that opens the database itself. @param about words after its name */
export type OpsCommand = (config: Config, about: readonly string[]) => Promise<void>

const print = (text: string): void => void process.stdout.write(`${text}\n`)
const megabyte = 1_000_000

const backup: OpsCommand = async (config, about) => {
  const original = await openOriginal(config)
  try {
    const { file, bytes } = await makeBackup(config, original.db, {
      recordings: about.includes('--recordings'),
      isBeforeUpgrade: about.includes('--before-upgrade'),
    })
    print(`${file} (${(bytes / megabyte).toFixed(1)} MB)`)
    print('It holds the secret, and therefore every stream key and account: keep it as safe as a password')
  } finally {
    await original.close()
  }
}

const restore: OpsCommand = async (config, about) => {
  const [file] = about.filter((word) => word !== '--check')
  if (file === undefined) throw new CopyError('Name the backup: restore <file>, or restore --check <file>')
  if (about.includes('--check')) return print(sentenceOf(file, await drillBackup(config, file)))
  const done = await restoreBackup(config, file)
  print(sentenceOf(file, done))
  print(`The data before is kept: ${done.kept.join(', ')}`)
  if (done.missing > 0) print(`${done.missing} recordings and films have no file on this machine. Their lists say so`)
  if (done.others !== null) print(`Further files of the backup are in ${done.others}`)
}

/** Drills the newest backup, and notes the time. */
const drill: OpsCommand = async (config) => {
  const file = await newestBackup(config)
  if (file === null) throw new CopyError(`There is no backup in ${backupFolder(config)}. Make one: backup`)
  const done = await drillBackup(config, file)
  const original = await openOriginal(config)
  try {
    await updateInstallation(original.db, { date_drill: new Date().toISOString() })
  } finally {
    await original.close()
  }
  print(sentenceOf(file, done))
}

/** Returns the file of the newest backup; null: there is none. */
export async function newestBackup(config: Pick<Config, 'backupDir' | 'dataDir'>): Promise<string | null> {
  const [name] = await listBackups(config)
  return name === undefined ? null : join(backupFolder(config), name)
}

const sentenceOf = (file: string, { date, counts, transactions }: Drilled): string => {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return `${file} of ${date} can be restored: ${rows} rows in ${Object.keys(counts).length} tables, ${transactions} transactions in the ledger, which is right`
}

/** Tells `relaydeck upgrade` whether this release can run here. It changes nothing. */
const preflight: OpsCommand = async (config, [floor = '']) => {
  const answer: Preflight = { ...(await examine(config)), knows: isKnownMigration(floor), free: await freeOn(config) }
  print(JSON.stringify(answer))
}

async function examine(config: Config): Promise<Pick<Preflight, 'bytes' | 'pending' | 'unknown'>> {
  if (config.databaseUrl === '' && !existsSync(databaseFile(config))) return { bytes: 0, pending: [], unknown: [] }
  const original = await openOriginal(config)
  try {
    return { bytes: await databaseBytes(original.db), ...(await planMigrations(original)) }
  } finally {
    await original.close()
  }
}

/** Returns the room on the fullest of the disks of data and backups, bytes. */
async function freeOn(config: Config): Promise<number> {
  const folders = [config.dataDir, backupFolder(config)].map((folder) =>
    existsSync(folder) ? folder : dirname(folder),
  )
  const disks = await Promise.all(folders.map((folder) => statfs(folder)))
  return Math.min(...disks.map(({ bavail, bsize }) => bavail * bsize))
}

/** Tells `relaydeck rollback` what is not in a backup. */
const writtenSince: OpsCommand = async (config, [file = '']) => {
  const { date, counts } = await readManifestOf(file)
  const original = await openOriginal(config)
  try {
    const now = (await readContents(original.db)).counts
    const changes = Object.keys({ ...counts, ...now })
      .map((table) => [table, (now[table] ?? 0) - (counts[table] ?? 0)] as const)
      .filter(([, by]) => by !== 0)
    print(JSON.stringify({ date, changes: Object.fromEntries(changes) } satisfies WrittenSince))
  } finally {
    await original.close()
  }
}

/** Orders the certificate of TLS_CERT, or renews it when a third of its life is left. */
const certificate: OpsCommand = async (config, about) => {
  const { orderCertificate, renewCertificate, wishOf } = await import('./certificate.ts')
  const isRenewal = about[0] === 'renew'
  const wish = isRenewal ? null : wishOf(about)
  const original = await openOriginal(config)
  try {
    const until = wish
      ? await orderCertificate(config, original.db, wish)
      : await renewCertificate(config, original.db, new Date())
    print(`The certificate is valid until ${until.toISOString()}. The service renews it`)
  } finally {
    await original.close()
  }
}

/** Reports reachable servers to `relaydeck doctor`. */
const connections: OpsCommand = async (config) => {
  const { readConnections } = await import('./connections.ts')
  print(JSON.stringify(await readConnections(config)))
}

export const opsCommands: Readonly<Record<string, OpsCommand>> = {
  backup,
  restore,
  drill,
  certificate,
  connections,
  preflight,
  'written-since': writtenSince,
}

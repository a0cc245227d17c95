// Restore of a backup in place of the present data, which stays beside it. The service must not run.
import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ownNode } from '#contract/core/codes.ts'
import type { Config } from '#server/core/settings.ts'
import { CopyError, dropPostgres, swapPostgres, whenFull } from '#server/db/dump.ts'
import type { Db } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { listRecordingFiles, updateRecording } from '#server/domain/broadcasts/recordings-store.ts'
import { listMasters, updateMedia } from '#server/domain/media/store.ts'
import { mediaFolder } from '#server/storage/place.ts'
import { machineName } from '#server/relay/machine.ts'
import { lockDataDir } from '#server/app/start/data-lock.ts'
import { unpack } from './archive.ts'
import { checkCopy, type Copy, type Drilled, openCopy } from './drill.ts'

/** What a restore has done. */
export interface Restored extends Drilled {
  /** Folder, and database of PostgreSQL, with the data before. */
  readonly kept: readonly string[]
  /** Recordings and films whose file is not on this machine. */
  readonly missing: number
  /** Folder with files of the archive that have no place here, such as settings; null: none. */
  readonly others: string | null
}

/** Files of DATA_DIR that a backup replaces. */
const replaced = ['relaydeck.db', 'relaydeck.db-wal', 'relaydeck.db-shm', 'secret', 'papers', 'acme']

/**
 * Restores a backup. A failure before the last step leaves the present data in use.
 * @throws StartError while a service uses DATA_DIR; CopyError
 */
export async function restoreBackup(config: Config, file: string, now = new Date()): Promise<Restored> {
  const { dataDir } = config
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const unlock = lockDataDir(config)
  const stamp = now.toISOString().replaceAll(/[:-]|\.\d+/g, '')
  const incoming = join(dataDir, `restored-${stamp}`)
  let copy: Copy | null = null
  try {
    await mkdir(incoming, { mode: 0o700 })
    const manifest = await unpack(file, incoming)
    if ((manifest.database === 'sqlite') !== (config.databaseUrl === ''))
      throw new CopyError(`This backup is of ${manifest.database}. ${change[manifest.database]}`)
    copy = await openCopy(config, manifest, incoming)
    const drilled = await checkCopy(config, copy.database, manifest, incoming)
    const missing = await markMissing(config, copy.database.db, incoming)
    await copy.database.close()
    const kept = await putInPlace(config, copy, incoming, `before-restore-${stamp}`)
    copy = null
    return { ...drilled, kept, missing, others: await remainderOf(incoming) }
  } catch (error) {
    await copy?.database.close()
    if (copy && copy.name !== '') await dropPostgres(config.databaseUrl, copy.name)
    await rm(incoming, { recursive: true, force: true })
    return whenFull(dataDir, 'The present data was not changed')(error)
  } finally {
    unlock()
  }
}

const change = {
  sqlite: 'Empty DATABASE_URL to restore it into DATA_DIR',
  postgres: 'Set DATABASE_URL to the server that it is restored to',
} as const

/** Marks recordings of this machine and films of a folder without a file, so that their lists say it. @returns how many */
async function markMissing(config: Config, db: Db, incoming: string): Promise<number> {
  const { dataDir, databaseUrl } = config
  const here = databaseUrl === '' ? ownNode : machineName()
  const isThere = async (path: string) => (await stat(path).catch(() => null)) !== null
  let missing = 0
  for (const { id, file } of await listRecordingFiles(db, here)) {
    if (await isThere(join(dataDir, 'recordings', file))) continue
    if (await isThere(join(incoming, 'recordings', file))) continue
    await transaction(db, (trx) => updateRecording(trx, id, { state: 'failed', reason: 'missing' }))
    missing++
  }
  const media = mediaFolder(config)
  // The weekly comparison looks into a bucket.
  if (media === null) return missing
  for (let after = 0; ;) {
    const films = await listMasters(db, after)
    for (const { id, file } of films) {
      const folders = [join(media, 'masters'), join(incoming, 'films')]
      if ((await Promise.all(folders.map((folder) => isThere(join(folder, file))))).some(Boolean)) continue
      await transaction(db, (trx) => updateMedia(trx, id, { state: 'missing' }))
      missing++
    }
    const last = films.at(-1)
    if (!last) return missing
    after = last.id
  }
}

/** Moves the present data aside, and the restored data to its place. @returns where the present data is */
async function putInPlace(config: Config, copy: Copy, incoming: string, aside: string): Promise<string[]> {
  const { dataDir, contentDir, databaseUrl } = config
  const kept = join(dataDir, aside)
  const names = new Set(await readdir(incoming))
  if (copy.name !== '') {
    await swapPostgres(databaseUrl, copy.name, aside)
    names.delete('database.dump')
    await rm(join(incoming, 'database.dump'))
  }
  await mkdir(kept, { mode: 0o700 })
  for (const name of replaced) {
    const isReplaced = names.has(name) || (names.has('relaydeck.db') && name.startsWith('relaydeck.db'))
    if (isReplaced) await rename(join(dataDir, name), join(kept, name)).catch(ignoreMissing)
    if (names.has(name)) await rename(join(incoming, name), join(dataDir, name))
  }
  if (names.has('recordings')) await merge(join(incoming, 'recordings'), join(dataDir, 'recordings'))
  const media = mediaFolder(config)
  if (names.has('films') && media !== null) await merge(join(incoming, 'films'), join(media, 'masters'))
  if (names.has('content') && contentDir !== null) {
    await cp(contentDir, join(kept, 'content'), { recursive: true }).catch(ignoreMissing)
    await merge(join(incoming, 'content'), contentDir)
  }
  return copy.name === '' ? [kept] : [kept, aside]
}

/** Copies a folder over another one, and removes it. */
async function merge(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true })
  await rm(from, { recursive: true })
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** Removes the folder of the archive unless files remain in it. @returns the folder; null: removed */
async function remainderOf(folder: string): Promise<string | null> {
  await rm(join(folder, 'manifest.json'), { force: true })
  if ((await readdir(folder)).length > 0) return folder
  await rm(folder, { recursive: true })
  return null
}

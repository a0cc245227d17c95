// Store of media files in a folder. Objects are written beside, synced and renamed, so that a name always has all its bytes.
import { constants, createReadStream } from 'node:fs'
import { open, opendir, readFile, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { DataStore } from '@tus/server'
import { makeFolder } from '#server/core/folder.ts'
import { loadOnce } from '#server/core/load-once.ts'
import { env, folderPath, settings } from '#server/core/variables.ts'
import { writeAll } from '#server/core/write-all.ts'
import {
  isObjectName,
  type LengthOf,
  type MediaStore,
  type ObjectName,
  type StoredObject,
  type StoreFolder,
} from './store.ts'

export const mediaSettings = settings({
  mediaDir: env(
    'MEDIA_DIR',
    folderPath,
    '',
    'Folder of uploaded films, also where S3_URL is set, not below /proc or /sys; several replicas need one that they share. Empty: the bucket of S3_URL, or `media` in DATA_DIR',
    (path) => (path === '' ? '' : resolve(path)),
  ),
})

const markerFile = 'folder-number'
const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'
const unlessMissing = (error: unknown): null => {
  if (isMissing(error)) return null
  throw error
}

/** Opens the store of a folder, which is made with the first object. */
export function createLocalStore(folder: string): MediaStore {
  /** @throws for a name that is none of ours: it would leave the folder */
  function pathOf(name: ObjectName): string {
    if (!isObjectName(name)) throw new Error(`"${String(name)}" is no name of an object`)
    return join(folder, name)
  }

  async function sync(path: string): Promise<void> {
    const handle = await open(path, constants.O_RDONLY)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  async function load(lengthOf: LengthOf): Promise<DataStore> {
    const directory = join(folder, 'uploads')
    await makeFolder(directory)
    const [{ FileStore }, { Upload }] = await Promise.all([import('@tus/file-store'), import('@tus/server')])
    return new FileStore({
      directory,
      // Facts of uploads are in the database, which all replicas have.
      configstore: {
        async get(id) {
          const size = await lengthOf(id)
          return size === null ? undefined : new Upload({ id, size, offset: 0 })
        },
        set: async () => undefined,
        delete: async () => undefined,
      },
    })
  }

  return {
    place: { kind: 'folder', at: folder },
    uploads: loadOnce(load),
    begin: (name) => createEmpty(pathOf(name)),
    async write(name, at, from: Readable) {
      const path = pathOf(name)
      await makeFolder(dirname(path))
      const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
      try {
        if ((await handle.stat()).size < at) throw new Error(`${name} is shorter than ${at} bytes`)
        await handle.truncate(at)
        let end = at
        for await (const piece of from as AsyncIterable<Buffer>) {
          await writeAll(handle, piece, end)
          end += piece.length
        }
        return end
      } finally {
        await handle.close()
      }
    },
    async finish(making, name) {
      const path = pathOf(name)
      await makeFolder(dirname(path))
      await sync(pathOf(making))
      await rename(pathOf(making), path)
      await sync(dirname(path))
    },
    sync: (name) =>
      sync(pathOf(name))
        .then(() => true, unlessMissing)
        .then(Boolean),
    async read(name, { from, to }) {
      const path = pathOf(name)
      await stat(path)
      return createReadStream(path, { start: from, end: to })
    },
    async size(name) {
      const found = await stat(pathOf(name)).catch(unlessMissing)
      return found && found.size
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    list: (part) => listFolder(folder, part),
    async free() {
      await makeFolder(folder)
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
    async marker() {
      const text = await readFile(join(folder, markerFile), 'utf8').catch(unlessMissing)
      return text === null ? null : text.trim()
    },
    mark: (marker) => writeMarker(folder, marker),
  }
}

async function writeMarker(folder: string, marker: string): Promise<void> {
  await makeFolder(folder)
  // Two replicas that begin at once: the first one wins, and the other reads its number.
  const handle = await open(join(folder, markerFile), 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null
    throw error
  })
  if (!handle) return
  try {
    await handle.writeFile(`${marker}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function createEmpty(path: string): Promise<void> {
  await makeFolder(dirname(path))
  await (await open(path, 'w', 0o600)).close()
}

async function* listFolder(folder: string, part: StoreFolder): AsyncGenerator<StoredObject> {
  const files = await opendir(join(folder, part)).catch(unlessMissing)
  if (!files) return
  for await (const file of files) {
    const name = `${part}/${file.name}`
    if (!file.isFile() || !isObjectName(name)) continue
    const about = await stat(join(folder, name)).catch(unlessMissing)
    if (about) yield { name, bytes: about.size, at: about.mtime }
  }
}

// Store of media files in a bucket of S3, which all replicas reach: no folder is shared.
import { loadOnce } from '#server/core/load-once.ts'
import type { ObjectStore } from '#server/core/object-store.ts'
import { makingIn } from './bucket-making.ts'
import { piecesIn } from './bucket-pieces.ts'
import {
  isObjectName,
  type MediaStore,
  type ObjectName,
  StoreAwayError,
  type StoredObject,
  type StoreFolder,
} from './store.ts'

/** Names of the bucket begin with it, as recordings have their own. A folder that is copied below it is a store. */
const root = 'media/'
const markerName = `${root}folder-number`

/** Opens the store of a bucket. @param at address of the bucket, for operators */
export function createBucketStore(objects: ObjectStore, at: string): MediaStore {
  const bucket = guarded(objects)
  const pieces = piecesIn(bucket)
  const making = makingIn(bucket, (name) => `${root}masters/${name}`)

  /** @throws for a name that is none of ours: it would leave the folder */
  function keyOf(name: ObjectName, ...folders: readonly StoreFolder[]): string {
    const isRight = isObjectName(name) && (folders.length === 0 || folders.some((one) => name.startsWith(`${one}/`)))
    if (!isRight) throw new Error(`"${name}" is no name of an object`)
    return root + name
  }
  const isUpload = (name: ObjectName) => name.startsWith('uploads/')
  const isMaking = (name: ObjectName) => name.startsWith('making/')

  const store: MediaStore = {
    place: { kind: 'bucket', at },
    uploads: loadOnce(async (lengthOf) => {
      const { createBucketUploads } = await import('./bucket-uploads.ts')
      return createBucketUploads(pieces, (id) => keyOf(`uploads/${id}`), lengthOf)
    }),
    begin: async (name) => pieces.begin(keyOf(name, 'uploads')),
    write: async (name, from, body) => making.write(keyOf(name, 'making'), from, body),
    async finish(name, master) {
      if (!keyOf(name, 'making').endsWith(`.${keyOf(master, 'masters').slice(`${root}masters/`.length)}`))
        throw new Error(`${name} cannot become ${master}`)
      await making.finish(keyOf(name))
    },
    sync: async (name) => (await store.size(name)) !== null,
    async read(name, part) {
      const key = keyOf(name, 'uploads', 'masters')
      return isUpload(name) ? pieces.read(key, part) : bucket.read(key, part)
    },
    async size(name) {
      const key = keyOf(name)
      return isUpload(name) ? pieces.size(key) : isMaking(name) ? making.size(key) : bucket.size(key)
    },
    async remove(name) {
      const key = keyOf(name)
      await (isUpload(name) ? pieces.remove(key) : isMaking(name) ? making.remove(key) : bucket.remove(key))
    },
    list: (folder) => listObjects(bucket, folder),
    // Nothing says how much a bucket takes.
    free: async () => Number.POSITIVE_INFINITY,
    async marker() {
      const text = await bucket.text(markerName)
      return text === null ? null : text.trim()
    },
    mark: (marker) => bucket.write(markerName, 'text/plain', Buffer.from(`${marker}\n`)),
  }
  return store
}

/** Lists a folder. The pieces of an upload are one object. */
async function* listObjects(bucket: ObjectStore, folder: StoreFolder): AsyncGenerator<StoredObject> {
  let last: StoredObject[] = []
  for await (const { name: key, bytes, at } of bucket.list(`${root}${folder}/`)) {
    const name = key.slice(root.length).split('/').slice(0, 2).join('/')
    if (!isObjectName(name)) continue
    const [before] = last
    if (before?.name === name) last = [{ name, bytes: before.bytes + bytes, at: before.at > at ? before.at : at }]
    else {
      yield* last
      last = [{ name, bytes, at }]
    }
  }
  yield* last
}

/** Returns a bucket whose failures are a `StoreAwayError`. */
function guarded(bucket: ObjectStore): ObjectStore {
  const away = (error: unknown): never => {
    throw error instanceof StoreAwayError ? error : new StoreAwayError(error)
  }
  const guard =
    <A extends unknown[], R>(call: (...values: A) => Promise<R>) =>
    (...values: A): Promise<R> =>
      call(...values).catch(away)
  return {
    ...bucket,
    write: guard(bucket.write),
    beginParts: guard(bucket.beginParts),
    writePart: guard(bucket.writePart),
    endParts: guard(bucket.endParts),
    abortParts: guard(bucket.abortParts),
    read: guard(bucket.read),
    text: guard(bucket.text),
    size: guard(bucket.size),
    remove: guard(bucket.remove),
    async *list(prefix) {
      try {
        yield* bucket.list(prefix)
      } catch (error) {
        away(error)
      }
    },
  }
}

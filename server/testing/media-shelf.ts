// Stores of films for tests: a folder, and a bucket of the double of S3. A test sees and changes what they contain.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { MediaStore, StoreFolder } from '#server/storage/store.ts'
import { createObjectStore } from '#server/core/object-store.ts'
import { openMediaStore } from '#server/storage/place.ts'
import { type S3Double, s3Double } from './s3.ts'
import { testApp, type World } from './test-app.ts'

export const storeKinds = ['folder', 'bucket'] as const
export type StoreKind = (typeof storeKinds)[number]

/** What a store contains. Names have their folder: `uploads/…`. */
export interface Shelf {
  /** Returns the names in a folder, without it. */
  files(folder: StoreFolder): string[]
  /** Returns the content of an upload or a master; an empty one where there is none. */
  content(name: string): Buffer
  /** Writes an upload or a master, as a killed process leaves it. */
  write(name: string, content: Uint8Array): void
  remove(name: string): void
  rename(from: string, to: string): void
  /** Sets the last change. */
  age(name: string, at: Date): void
  /** Opens the store as the service does. */
  readonly store: MediaStore
  /** Null: the store is a folder. */
  readonly s3: S3Double | null
}

/** Returns the settings of a service for a bucket of the double. */
export const bucketEnv = (s3: S3Double): Readonly<Record<string, string>> => ({
  S3_URL: s3.url,
  S3_REGION: s3.region,
  S3_ACCESS_KEY: s3.accessKeyId,
  S3_SECRET_KEY: s3.secretAccessKey,
})

/** Starts a service whose films are in a folder or in a bucket. */
export async function mediaWorld(
  kind: StoreKind,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly world: World; readonly shelf: Shelf; readonly close: () => Promise<void> }> {
  const s3 = kind === 'bucket' ? await s3Double() : null
  const world = await testApp({ ...env, ...(s3 && bucketEnv(s3)) })
  const { config } = world.services
  const store = openMediaStore(config, config.s3 && createObjectStore(config.s3))
  const shelf = s3 ? bucketShelf(s3, store) : folderShelf(join(world.dataDir, 'media'), store)
  const close = async () => {
    await world.close()
    await s3?.close()
  }
  return { world, shelf, close }
}

function folderShelf(root: string, store: MediaStore): Shelf {
  const pathOf = (name: string) => join(root, name)
  const make = (name: string) => mkdirSync(dirname(pathOf(name)), { recursive: true })
  return {
    files: (folder) => (existsSync(pathOf(folder)) ? readdirSync(pathOf(folder)) : []),
    content: (name) => (existsSync(pathOf(name)) ? readFileSync(pathOf(name)) : Buffer.alloc(0)),
    write(name, content) {
      make(name)
      writeFileSync(pathOf(name), content)
    },
    remove: (name) => rmSync(pathOf(name)),
    rename(from, to) {
      make(to)
      renameSync(pathOf(from), pathOf(to))
    },
    age: (name, at) => utimesSync(pathOf(name), at, at),
    store,
    s3: null,
  }
}

function bucketShelf(s3: S3Double, store: MediaStore): Shelf {
  const keysOf = (name: string) =>
    [...s3.objects.keys()].filter((key) => key === `media/${name}` || key.startsWith(`media/${name}/`)).toSorted()
  const remove = (name: string) => {
    for (const key of keysOf(name)) s3.objects.delete(key)
  }
  const keyOf = (name: string) => `media/${name}${name.startsWith('uploads/') ? '/000000000000000' : ''}`
  const shelf: Shelf = {
    files: (folder) => [...new Set(keysOf(folder).map((key) => key.split('/')[2] ?? ''))],
    content: (name) => Buffer.concat(keysOf(name).map((key) => s3.objects.get(key) ?? Buffer.alloc(0))),
    write(name, content) {
      remove(name)
      s3.objects.set(keyOf(name), Buffer.from(content))
    },
    remove,
    rename(from, to) {
      const content = shelf.content(from)
      remove(from)
      shelf.write(to, content)
    },
    age(name, at) {
      for (const key of keysOf(name)) s3.times.set(key, at)
    },
    store,
    s3,
  }
  return shelf
}

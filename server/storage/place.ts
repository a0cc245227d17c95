// Where films of an installation are: the bucket, or a folder.
import { join } from 'node:path'
import type { ObjectStore } from '#server/core/object-store.ts'
import type { Config } from '#server/core/settings.ts'
import { createBucketStore } from './bucket.ts'
import { createLocalStore } from './local.ts'
import type { MediaStore, StorePlace } from './store.ts'

type Places = Pick<Config, 'mediaDir' | 'dataDir' | 's3'>

/** Returns the place of films: MEDIA_DIR, or else the bucket, or else a folder of the service. */
export function placeOf({ mediaDir, dataDir, s3 }: Places): StorePlace {
  if (mediaDir === '' && s3 !== null) return { kind: 'bucket', at: s3.endpoint }
  return { kind: 'folder', at: mediaDir === '' ? join(dataDir, 'media') : mediaDir }
}

/** Returns the folder of films; null: they are in the bucket. */
export function mediaFolder(config: Places): string | null {
  const { kind, at } = placeOf(config)
  return kind === 'folder' ? at : null
}

/** Opens the store of films. @param bucket of S3_URL; null: there is none */
export function openMediaStore(config: Places, bucket: ObjectStore | null): MediaStore {
  const { kind, at } = placeOf(config)
  return kind === 'bucket' && bucket !== null ? createBucketStore(bucket, at) : createLocalStore(at)
}

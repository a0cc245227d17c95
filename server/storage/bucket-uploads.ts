// Uploads of tus in a bucket. Loaded with the first upload.
import type { Readable } from 'node:stream'
import { DataStore, ERRORS, Upload } from '@tus/server'
import type { Pieces } from './bucket-pieces.ts'
import type { LengthOf } from './store.ts'

const mebibyte = 1024 * 1024
/** An upload has about so many pieces, so that one page of a list has them. */
const piecesWanted = 1_000
const pieceMiB = { least: 1, most: 16 }
/** Memory of the pieces of all requests at a time. */
const memoryMax = 128 * mebibyte

/** Returns the size of a piece: 1 MiB up to 1 GB, 16 MiB from 16 GB on. @param length of the upload, bytes */
const pieceBytesOf = (length: number): number =>
  Math.min(pieceMiB.most, Math.max(pieceMiB.least, Math.ceil(length / piecesWanted / mebibyte))) * mebibyte

/** Creates the store of uploads for tus. @param keyOf returns the key of an upload in the bucket */
export function createBucketUploads(pieces: Pieces, keyOf: (id: string) => string, lengthOf: LengthOf): DataStore {
  let memory = 0

  class BucketUploads extends DataStore {
    /** A length that is sent again is an invalid one (400), not an unknown extension (501). */
    override extensions = ['creation-defer-length']

    override async getUpload(id: string): Promise<Upload> {
      const [size, offset] = await Promise.all([lengthOf(id), pieces.size(keyOf(id))])
      if (size === null || offset === null) throw ERRORS.FILE_NOT_FOUND
      return new Upload({ id, size, offset })
    }

    override async write(from: Readable, id: string, offset: number): Promise<number> {
      const length = await lengthOf(id)
      if (length === null) throw ERRORS.FILE_NOT_FOUND
      const pieceBytes = Math.min(pieceBytesOf(length), Math.max(length, 1))
      // The client tries again.
      if (memory + pieceBytes > memoryMax) throw new Error('Too many pieces of uploads arrive at a time')
      memory += pieceBytes
      try {
        return await pieces.append(keyOf(id), offset, { from, pieceBytes })
      } finally {
        memory -= pieceBytes
        // It was cancelled meanwhile, and its pieces were removed before the last one was written.
        if ((await lengthOf(id)) === null) await pieces.remove(keyOf(id))
      }
    }
  }
  return new BucketUploads()
}

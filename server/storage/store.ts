// Port of the store of media files: names and bytes. It knows neither rows nor requests.
import type { Readable } from 'node:stream'
import type { DataStore } from '@tus/server'
import { RetryLaterError } from '#server/core/errors.ts'
import type { Part } from '#server/core/object-store.ts'

/** Folder of objects: prepared films, uploads as they arrive, and prepared films that are being written. */
export type StoreFolder = 'masters' | 'uploads' | 'making'
/** Name of an object: letters, digits, `.`, `-` and `_` in a folder. */
export type ObjectName = `${StoreFolder}/${string}`

const namePattern = /^(masters|uploads|making)\/\w[\w.-]{0,99}$/

/** Returns whether a name is one of ours: another one could leave the store. */
export const isObjectName = (name: string): name is ObjectName => namePattern.test(name)

const retrySeconds = 5

/** The store gives no answer, such as a bucket that is away. */
export class StoreAwayError extends RetryLaterError {
  /** @param cause reason for the log */
  constructor(cause: unknown) {
    super(503, 'StoreAway', retrySeconds, cause)
  }
}

export interface StoredObject {
  readonly name: ObjectName
  readonly bytes: number
  /** Last change. */
  readonly at: Date
}

/** Names that are none of ours, and faults of a disk, are errors. A bucket that gives no answer is a `StoreAwayError`. */
export interface MediaStore {
  /**
   * Returns the store of uploads for tus, loaded with the first upload. Its names are those of the folder `uploads`.
   * @param lengthOf returns the bytes that an upload will have; null: it does not exist
   */
  uploads(lengthOf: LengthOf): Promise<DataStore>
  /** Creates an empty upload, and drops the bytes that it had. */
  begin(name: ObjectName): Promise<void>
  /**
   * Writes a part of an object in the making. Its bytes are always the same at the same place: those that are there may be kept.
   * @param at first byte of the part
   * @returns the bytes that the object has
   * @throws when the object is shorter than `at`
   */
  write(making: ObjectName, at: number, from: Readable): Promise<number>
  /** Gives an object in the making its name, which is the end of `making`, after its bytes are stored. */
  finish(making: ObjectName, name: ObjectName): Promise<void>
  /** Has the bytes of an object stored safely. @returns false when it does not exist */
  sync(name: ObjectName): Promise<boolean>
  /** Reads a part of an object. @throws when it does not exist */
  read(name: ObjectName, part: Part): Promise<Readable>
  /** Returns the bytes of an object; null: it does not exist. */
  size(name: ObjectName): Promise<number | null>
  /** Removes an object, or nothing. */
  remove(name: ObjectName): Promise<void>
  list(folder: StoreFolder): AsyncIterable<StoredObject>
  /** Returns the bytes that fit. */
  free(): Promise<number>
  /** Returns the number in the store, by which replicas recognize a shared one; null: none. */
  marker(): Promise<string | null>
  /** Writes the number into a store without one. */
  mark(marker: string): Promise<void>
  /** Where the store is, for operators. */
  readonly place: StorePlace
}

/** Returns the bytes that an upload will have; null: it does not exist. */
export type LengthOf = (name: string) => Promise<number | null>

/** A folder, or the address of a bucket. */
export interface StorePlace {
  readonly kind: 'folder' | 'bucket'
  readonly at: string
}

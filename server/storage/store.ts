// Port of the store of media files: names and bytes. It knows neither rows nor requests.
import type { Readable } from 'node:stream'
import type { DataStore } from '@tus/server'
import type { Part } from '#server/core/object-store.ts'

/** Folder of objects: prepared films, uploads as they arrive, and prepared films that are being written. */
export type StoreFolder = 'masters' | 'uploads' | 'making'
/** Name of an object: letters, digits, `.`, `-` and `_` in a folder. */
export type ObjectName = `${StoreFolder}/${string}`

export interface StoredObject {
  readonly name: ObjectName
  readonly bytes: number
  /** Last change. */
  readonly at: Date
}

export interface MediaStore {
  /**
   * Returns the store of uploads for tus, loaded with the first upload. Its names are those of the folder `uploads`.
   * @param lengthOf returns the bytes that an upload will have; null: it does not exist
   */
  uploads(lengthOf: (name: string) => Promise<number | null>): Promise<DataStore>
  /** Creates an empty object, and drops the bytes that it had. */
  begin(name: ObjectName): Promise<void>
  /**
   * Writes a part of an object in the making, and drops what it has behind the beginning of the part.
   * @param at first byte of the part
   * @returns the bytes that the object has
   * @throws when the object is shorter than `at`
   */
  write(name: ObjectName, at: number, from: Readable): Promise<number>
  /** Gives an object in the making its name, after its bytes are on the disk. */
  finish(making: ObjectName, name: ObjectName): Promise<void>
  /** Writes the bytes of an object to the disk. @returns false when it does not exist */
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
  /** Returns the number in the folder, by which replicas recognize a shared one; null: none. */
  marker(): Promise<string | null>
  /** Writes the number into a folder without one. */
  mark(marker: string): Promise<void>
  /** Where the store is, for operators. */
  readonly place: string
}

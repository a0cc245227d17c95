// Objects that grow, in a bucket: one object for each piece, named by its first byte. A piece is whole or absent, so that a killed
// process leaves nothing half written, and nothing has to be aborted.
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import type { ObjectStore, Part } from '#server/core/object-store.ts'

const type = 'application/octet-stream'
const digits = 15
/** Removals at a time. */
const removalsMax = 8

/** A piece, and its first byte in the object. */
interface Piece {
  readonly name: string
  readonly from: number
  readonly bytes: number
}

/** What a list of pieces says. */
interface Found {
  /** Pieces from the first byte on, without a gap. */
  readonly pieces: readonly Piece[]
  /** Pieces behind a gap, which a killed removal left, or a writer that had lost the lock. */
  readonly strays: readonly string[]
  readonly bytes: number
}

export interface Pieces {
  /** Creates an empty object, and drops the bytes that it had. */
  begin(key: string): Promise<void>
  /**
   * Appends bytes. Those that arrived before a failure are kept.
   * @param pieceBytes size of full pieces: the memory of the call
   * @returns the bytes that the object has
   * @throws when the object has not `at` bytes
   */
  append(key: string, at: number, about: { readonly from: Readable; readonly pieceBytes: number }): Promise<number>
  read(key: string, part: Part): Promise<Readable>
  /** Returns the bytes of an object; null: it does not exist. */
  size(key: string): Promise<number | null>
  remove(key: string): Promise<void>
}

/** Creates growing objects in a bucket. */
export function piecesIn(bucket: ObjectStore): Pieces {
  const nameOf = (key: string, from: number) => `${key}/${String(from).padStart(digits, '0')}`

  async function find(key: string): Promise<Found> {
    const pieces: Piece[] = []
    const strays: string[] = []
    let end = 0
    for await (const { name, bytes } of bucket.list(`${key}/`)) {
      const from = Number(name.slice(key.length + 1))
      if (from === end && (bytes > 0 || from === 0)) {
        pieces.push({ name, from, bytes })
        end += bytes
      } else strays.push(name)
    }
    return { pieces, strays, bytes: end }
  }

  /** Removes the first piece alone and before the others: without it there is no object, also when this is killed. */
  async function remove(names: readonly string[]): Promise<void> {
    const [first, ...rest] = names
    if (first !== undefined) await bucket.remove(first)
    for (let at = 0; at < rest.length; at += removalsMax)
      await Promise.all(rest.slice(at, at + removalsMax).map((name) => bucket.remove(name)))
  }

  async function removeAll(key: string): Promise<void> {
    const { pieces, strays } = await find(key)
    await remove([...pieces.map(({ name }) => name), ...strays])
  }

  return {
    async begin(key) {
      await removeAll(key)
      await bucket.write(nameOf(key, 0), type, new Uint8Array())
    },
    async append(key, at, { from, pieceBytes }) {
      const { pieces, strays, bytes } = await find(key)
      if (bytes !== at) throw new Error(`${key} has ${bytes} bytes instead of ${at}`)
      await remove(strays)
      const last = pieces.at(-1)
      const isOpen = last !== undefined && last.bytes < pieceBytes
      const piece = new OpenPiece(isOpen ? last.from : at, pieceBytes)
      if (isOpen && last.bytes > 0)
        piece.fill(await buffer(await bucket.read(last.name, { from: 0, to: last.bytes - 1 })))
      piece.stored = piece.filled
      const store = () => bucket.write(nameOf(key, piece.from), type, piece.content)
      let failed = false
      try {
        for await (const data of from as AsyncIterable<Buffer>)
          for (let rest: Uint8Array = data; rest.length > 0;) {
            rest = piece.fill(rest)
            if (!piece.isFull) continue
            await store().catch((error: unknown) => {
              failed = true
              throw error
            })
            piece.next()
          }
      } finally {
        // Also of a connection that broke: the next request continues here.
        if (!failed && piece.filled > piece.stored) await store()
      }
      return piece.from + piece.filled
    },
    async read(key, { from, to }) {
      const { pieces } = await find(key)
      if (pieces.length === 0) throw new Error(`There is no object ${key}`)
      return Readable.from(
        (async function* () {
          for (const { name, from: begin, bytes } of pieces) {
            const end = begin + bytes - 1
            if (end < from || begin > to) continue
            yield* await bucket.read(name, { from: Math.max(from - begin, 0), to: Math.min(to, end) - begin })
          }
        })(),
        { objectMode: false },
      )
    },
    async size(key) {
      const { pieces, bytes } = await find(key)
      return pieces.length === 0 ? null : bytes
    },
    remove: removeAll,
  }
}

/** The piece that is being filled. */
class OpenPiece {
  from: number
  filled = 0
  /** Bytes of it that the bucket has. */
  stored = 0
  readonly #bytes: Buffer

  constructor(from: number, size: number) {
    this.from = from
    this.#bytes = Buffer.allocUnsafe(size)
  }

  get isFull(): boolean {
    return this.filled === this.#bytes.length
  }

  get content(): Uint8Array {
    return this.#bytes.subarray(0, this.filled)
  }

  /** Takes bytes until it is full. @returns the rest */
  fill(bytes: Uint8Array): Uint8Array {
    const taken = Math.min(bytes.length, this.#bytes.length - this.filled)
    this.#bytes.set(bytes.subarray(0, taken), this.filled)
    this.filled += taken
    return bytes.subarray(taken)
  }

  next(): void {
    this.from += this.filled
    this.filled = 0
    this.stored = 0
  }
}

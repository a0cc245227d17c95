// Memory cost of media: many small packets cost more than their bytes.

/**
 * Bytes of a packet beside its payload: its objects, its chunks and its tag. Measured on Node 24: 0.6 KB, of which the
 * collector may hold as much again that is already garbage.
 */
export const packetBytes = 1024
/** Bytes of a write that waits in a socket or a pipe beside what it writes. Measured on Node 24: 0.2 KB. */
export const writeBytes = 256

/** Memory that a packet takes, bytes. */
export const costOf = ({ payload }: { readonly payload: Buffer }): number => payload.length + packetBytes

/** Writable stream. */
export interface Writes {
  readonly writableLength: number
  write(bytes: Buffer, done: () => void): unknown
}

/** Writes to a stream, and counts its pending writes. */
export class CountedWrites {
  readonly #out: Writes
  #waiting = 0
  readonly #done = () => void this.#waiting--

  constructor(out: Writes) {
    this.#out = out
  }

  write(bytes: Buffer): void {
    this.#waiting++
    this.#out.write(bytes, this.#done)
  }

  /** Memory in the send queue, bytes. */
  queued(): number {
    return this.#out.writableLength + this.#waiting * writeBytes
  }
}

// Plain RTMP handshake without digests (Adobe RTMP 1.0, section 5.2).
import { randomBytes } from 'node:crypto'
import { ProtocolError } from './protocol-error.ts'

const version = 3
const packetBytes = 1536

/** Role of this end. */
export type Role = 'server' | 'client'

/** Performs the handshake on received bytes. */
export class Handshake {
  readonly #role: Role
  #bytes: Buffer = Buffer.alloc(0)
  #greeted = false

  constructor(role: Role) {
    this.#role = role
  }

  /** First bytes of a client; empty for a server. */
  hello(): Buffer {
    return this.#role === 'client' ? greeting() : Buffer.alloc(0)
  }

  /**
   * Takes the next bytes.
   * @returns the bytes to send, and after the handshake the received bytes that belong to the connection
   * @throws ProtocolError when the peer does not speak RTMP version 3
   */
  read(bytes: Buffer): { readonly send: Buffer; readonly rest: Buffer | null } {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes])
    if (this.#bytes.length > 0 && !this.#greeted && this.#bytes[0] !== version) throw new ProtocolError('Not RTMP')
    return this.#role === 'server' ? this.#serve() : this.#follow()
  }

  /** Reads C0 C1, responds with S0 S1 S2, then reads C2. */
  #serve() {
    let send = Buffer.alloc(0)
    if (!this.#greeted && this.#bytes.length > packetBytes) {
      send = Buffer.concat([greeting(), this.#bytes.subarray(1, 1 + packetBytes)])
      this.#bytes = this.#bytes.subarray(1 + packetBytes)
      this.#greeted = true
    }
    const over = this.#greeted && this.#bytes.length >= packetBytes
    return { send, rest: over ? this.#bytes.subarray(packetBytes) : null }
  }

  /** Reads S0 S1 S2, responds with C2. */
  #follow() {
    if (this.#bytes.length < 1 + 2 * packetBytes) return { send: Buffer.alloc(0), rest: null }
    return { send: this.#bytes.subarray(1, 1 + packetBytes), rest: this.#bytes.subarray(1 + 2 * packetBytes) }
  }
}

/** Version, time 0, zeros, random bytes. */
const greeting = (): Buffer => Buffer.concat([Buffer.from([version]), Buffer.alloc(8), randomBytes(packetBytes - 8)])

// One connection, once both have shaken hands: media in one direction, and what both have to tell each other.
import { readKeyMaterial, type SrtKeys, unwrap } from './encryption.ts'
import { extensionType } from './extensions.ts'
import { type ControlPacket, controlType, type DataPacket, type SrtPacket, writeControl } from './packets.ts'
import { type Received, Receiver } from './receiver.ts'
import { Sender } from './sender.ts'

/** Nothing was sent for so long: the other end hears that we are here (draft-sharabayko-srt 3.2.3). */
const keepaliveMs = 1_000
/** Nothing came for so long: the other end is gone. */
const silentMs = 5_000

/** Why a connection ended. `unpublish`: the other end said goodbye. */
export type SrtEnd = 'unpublish' | 'timeout' | 'closed'

/** How a connection is encrypted. */
export interface SrtSecret {
  readonly keys: SrtKeys
  /** What new keys are unwrapped by. */
  readonly passphrase: string
}

export interface SrtConnectionOptions {
  /** Which way media flows, as the caller sees it. */
  readonly mode: 'publish' | 'play'
  /** Number of the connection at the other end. */
  readonly peer: number
  /** Number of the first data packet, the same in both directions. */
  readonly first: number
  /** How long a packet may take, milliseconds. */
  readonly latencyMs: number
  /** Packets that the other end has room for. */
  readonly window: number
  /** Left out or null: it is not encrypted. */
  readonly secret?: SrtSecret | null
  readonly out: (packet: Buffer) => void
  /** What comes in, in order. */
  readonly onPayload: (payload: Buffer) => void
  /** Called once. */
  readonly onEnd: (why: SrtEnd) => void
  readonly now?: () => number
}

export class SrtConnection {
  readonly #options: SrtConnectionOptions
  readonly #now: () => number
  readonly #began: number
  readonly #receiver: Receiver
  readonly #sender: Sender
  #heardAt: number
  #saidAt: number
  #keys: SrtKeys | null
  #isUnwrapping = false
  #ended = false

  constructor(options: SrtConnectionOptions) {
    this.#options = options
    this.#keys = options.secret?.keys ?? null
    this.#now = options.now ?? (() => performance.now())
    this.#began = this.#now()
    this.#heardAt = this.#began
    this.#saidAt = this.#began
    const { first, latencyMs, window, peer } = options
    const send = (type: number, said: Partial<Pick<ControlPacket, 'info' | 'body'>>) => this.#say(type, said)
    this.#receiver = new Receiver({ first, latencyMs, deliver: options.onPayload, send })
    this.#sender = new Sender({
      first,
      latencyMs,
      window,
      destination: peer,
      timestamp: () => this.#timestamp(),
      keys: () => this.#keys,
      out: (packet) => this.#put(packet),
      send,
    })
  }

  /** Bytes of media that came in. */
  received(): number {
    return this.#receiver.counts.bytes
  }

  /** What came in, and what did not. */
  counts(): Received {
    return this.#receiver.counts
  }

  /** Bytes that wait to be sent. */
  queued(): number {
    return this.#sender.queued
  }

  written(): number {
    return this.#sender.written
  }

  /** Sends a piece of the stream, at most `transportBytes`. */
  send(payload: Buffer): void {
    if (!this.#ended) this.#sender.push(payload, this.#now())
  }

  /** A packet of the other end. */
  take(packet: SrtPacket): void {
    if (this.#ended) return
    const now = this.#now()
    this.#heardAt = now
    if (!packet.isControl) {
      const payload = this.#options.mode === 'publish' ? this.#read(packet) : null
      if (payload) this.#receiver.take({ sequence: packet.sequence, payload }, now)
    } else if (packet.type === controlType.acknowledgement) this.#sender.acknowledged(packet, now)
    else if (packet.type === controlType.acknowledged) this.#receiver.heard(packet.info, now)
    else if (packet.type === controlType.loss) this.#sender.lost(packet.body, now)
    else if (packet.type === controlType.drop) this.#receiver.drop(packet.body)
    else if (packet.type === controlType.shutdown) this.#over('unpublish')
    else if (packet.type === controlType.extension) void this.#takeKeys(packet)
  }

  /** Looks after it; call it each 10 ms. */
  tick(): void {
    if (this.#ended) return
    const now = this.#now()
    if (now - this.#heardAt > silentMs) return this.end('timeout')
    if (this.#options.mode === 'publish') this.#receiver.tick(now)
    else this.#sender.tick(now)
    if (now - this.#saidAt >= keepaliveMs) this.#say(controlType.keepalive, {})
  }

  /** Says goodbye. There is no word for why. */
  end(why: SrtEnd = 'closed'): void {
    if (this.#ended) return
    this.#say(controlType.shutdown, {})
    this.#over(why)
  }

  /** What was encrypted by another key, or not at all where it should be, is none. */
  #read({ payload, sequence, key }: DataPacket): Buffer | null {
    if (!this.#keys) return key === null ? payload : null
    return key && this.#keys.decrypt(payload, sequence, key)
  }

  /** The other end makes new keys from time to time, and says them before it uses them (6.1.6). */
  async #takeKeys({ subtype, body }: ControlPacket): Promise<void> {
    const material = subtype === extensionType.keyRequest ? readKeyMaterial(body) : null
    const { secret } = this.#options
    if (!material || !secret || this.#isUnwrapping) return
    this.#isUnwrapping = true
    const keys = await unwrap(material, secret.passphrase).catch(() => null)
    this.#isUnwrapping = false
    if (!keys || this.#ended) return
    this.#keys = keys
    this.#say(controlType.extension, { subtype: extensionType.keyResponse, body })
  }

  #over(why: SrtEnd): void {
    this.#ended = true
    this.#options.onEnd(why)
  }

  #say(type: number, said: Partial<Pick<ControlPacket, 'info' | 'body' | 'subtype'>>): void {
    this.#put(writeControl(type, { ...said, timestamp: this.#timestamp(), destination: this.#options.peer }))
  }

  #put(packet: Buffer): void {
    this.#saidAt = this.#now()
    this.#options.out(packet)
  }

  #timestamp(): number {
    return Math.floor((this.#now() - this.#began) * 1000)
  }
}

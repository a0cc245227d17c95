// SRT connection after the handshake: media in one direction, control packets in both.
import { readKeyMaterial, type SrtKeys, unwrap } from './encryption.ts'
import { extensionType } from './extensions.ts'
import { type ControlPacket, controlType, type DataPacket, type SrtPacket, writeControl } from './packets.ts'
import { type Received, Receiver } from './receiver.ts'
import type { LinkFigures, PathFigures } from '#server/relay/ingest/publication.ts'
import { Sender } from './sender.ts'

/** Interval of keepalives on an idle connection, milliseconds (draft-sharabayko-srt 3.2.3). */
const keepaliveMs = 1_000
/** Timeout without any packet from the peer, milliseconds. */
const silentMs = 5_000

/** A receiver that acknowledges nothing for this time is gone, milliseconds. */
const stalledMs = 5_000
/** Time for the last packets to arrive before the end, milliseconds. */
const lastMs = 1_000
/**
 * Time beyond the latency in which the receiver shows the last packets, milliseconds: it counts the latency from the moment at which it
 * handled the handshake, and a busy machine reads late.
 */
const shownMs = 1_000

/** Wait for packets of slower paths: a share of the latency, within these limits, milliseconds. */
const reorder = { share: 1 / 6, leastMs: 30, mostMs: 150 }

/** Reason why a connection ended. `unpublish`: the peer sent a shutdown. `timeout`: it sends nothing, or acknowledges nothing. */
export type SrtEnd = 'unpublish' | 'timeout' | 'closed'

/** Encryption of a connection. */
export interface SrtSecret {
  readonly keys: SrtKeys
  /** Unwraps new keys of the peer; null: only this end makes keys. */
  readonly passphrase: string | null
}

export interface SrtConnectionOptions {
  /** Direction of the media, from the caller's view. */
  readonly mode: 'publish' | 'play'
  /** Socket number of the peer. */
  readonly peer: number
  /** Sequence number of the first data packet, the same in both directions. */
  readonly first: number
  /** Latency, milliseconds. */
  readonly latencyMs: number
  /** Receive window of the peer, packets. */
  readonly window: number
  /** The peer sends by several paths, which deliver its packets out of order. */
  readonly paths?: (() => readonly PathFigures[]) | undefined
  /** Omitted or null: not encrypted. */
  readonly secret?: SrtSecret | null
  /** Beginning of the timestamps, monotonic milliseconds. Default: now. */
  readonly began?: number
  readonly out: (packet: Buffer) => void
  /** Receives payloads in order. */
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
  #receivedAt: number
  #sentAt: number
  #keys: SrtKeys | null
  #isUnwrapping = false
  #ended = false
  readonly #reorderMs: number
  /** Time of the peer's shutdown, while packets of slower paths are awaited. */
  #shutDownAt: number | null = null
  /** Time by which this end closes. */
  #closesAt: number | null = null
  /** Time at which everything had arrived before. */
  #doneAt: number | null = null

  constructor(options: SrtConnectionOptions) {
    this.#options = options
    this.#keys = options.secret?.keys ?? null
    this.#now = options.now ?? (() => performance.now())
    this.#receivedAt = this.#now()
    this.#sentAt = this.#receivedAt
    this.#began = options.began ?? this.#receivedAt
    const { first, latencyMs, window, peer } = options
    const send = (type: number, content: Partial<Pick<ControlPacket, 'info' | 'body'>>) =>
      this.#sendControl(type, content)
    const wait = Math.min(Math.max(latencyMs * reorder.share, reorder.leastMs), reorder.mostMs)
    this.#reorderMs = options.paths ? wait : 0
    this.#receiver = new Receiver({ first, latencyMs, reorderMs: this.#reorderMs, deliver: options.onPayload, send })
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

  /** Received media, bytes. */
  received(): number {
    return this.#receiver.counts.bytes
  }

  /** Counts of received and lost packets. */
  counts(): Received {
    return this.#receiver.counts
  }

  /** Figures of the path from the peer. */
  link(): LinkFigures {
    const { packets, bytes, lost, dropped } = this.#receiver.counts
    const size = packets === 0 ? 0 : bytes / packets
    return {
      rttMs: this.#receiver.trip.ms,
      lost,
      dropped,
      lostBytes: Math.round(lost * size),
      droppedBytes: Math.round(dropped * size),
      bufferMs: this.#receiver.heldMs(this.#now()),
      paths: this.#options.paths?.() ?? [],
    }
  }

  /** Bytes in the send queue. */
  queued(): number {
    return this.#sender.queued
  }

  written(): number {
    return this.#sender.written
  }

  /** Bytes that the receiver acknowledged. */
  acknowledged(): number {
    return this.#sender.acknowledgedBytes
  }

  /** Sends a payload of at most `transportBytes`. */
  send(payload: Buffer): void {
    if (!this.#ended && this.#closesAt === null) this.#sender.push(payload, this.#now())
  }

  /** Handles a packet of the peer. */
  take(packet: SrtPacket): void {
    if (this.#ended) return
    const now = this.#now()
    this.#receivedAt = now
    if (!packet.isControl) {
      const payload = this.#options.mode === 'publish' ? this.#read(packet) : null
      if (payload) this.#receiver.take({ sequence: packet.sequence, payload }, now)
    } else if (packet.type === controlType.acknowledgement) this.#sender.acknowledged(packet, now)
    else if (packet.type === controlType.acknowledged) this.#receiver.confirmed(packet.info, now)
    else if (packet.type === controlType.loss) this.#sender.lost(packet.body, now)
    else if (packet.type === controlType.drop) this.#receiver.drop(packet.body)
    else if (packet.type === controlType.shutdown) this.#shutDown(now)
    else if (packet.type === controlType.extension) void this.#takeKeys(packet)
  }

  /** Sends due control packets and checks timeouts. Call it every 10 ms. */
  tick(): void {
    if (this.#ended) return
    const now = this.#now()
    if (now - this.#receivedAt > silentMs) return this.end('timeout')
    if (this.#shutDownAt !== null && now - this.#shutDownAt >= this.#reorderMs) return this.#over('unpublish')
    if (this.#options.mode === 'publish') this.#receiver.tick(now)
    else {
      this.#sender.tick(now)
      if (this.#sender.owedMs(now) > stalledMs) return this.end('timeout')
      this.#close(now)
    }
    if (now - this.#sentAt >= keepaliveMs) this.#sendControl(controlType.keepalive, {})
  }

  /** Sends what is queued, and ends when the receiver has shown it: it drops at a shutdown what waits in its latency. */
  finish(): void {
    this.#closesAt ??= this.#now() + lastMs
  }

  /** Sends a shutdown, which has no reason. */
  end(why: SrtEnd = 'closed'): void {
    if (this.#ended) return
    this.#sendControl(controlType.shutdown, {})
    this.#over(why)
  }

  /** Returns the decrypted payload; null with an unknown key, or without encryption where it is required. */
  #read({ payload, sequence, key }: DataPacket): Buffer | null {
    if (!this.#keys) return key === null ? payload : null
    return key && this.#keys.decrypt(payload, sequence, key)
  }

  /** Takes new keys: the peer changes keys from time to time and announces them before use (6.1.6). */
  async #takeKeys({ subtype, body }: ControlPacket): Promise<void> {
    const material = subtype === extensionType.keyRequest ? readKeyMaterial(body) : null
    const { secret } = this.#options
    const passphrase = secret?.passphrase ?? null
    if (!material || passphrase === null || this.#isUnwrapping) return
    this.#isUnwrapping = true
    const keys = await unwrap(material, passphrase).catch(() => null)
    this.#isUnwrapping = false
    if (!keys || this.#ended) return
    this.#keys = keys
    this.#sendControl(controlType.extension, { subtype: extensionType.keyResponse, body })
  }

  #close(now: number): void {
    if (this.#closesAt === null) return
    if (this.#sender.isDone) this.#doneAt ??= now
    if (now >= (this.#doneAt ?? this.#closesAt) + this.#options.latencyMs + shownMs) this.end()
  }

  /** A shutdown overtakes the last packets of slower paths. */
  #shutDown(now: number): void {
    if (this.#reorderMs === 0) this.#over('unpublish')
    else this.#shutDownAt ??= now
  }

  #over(why: SrtEnd): void {
    this.#ended = true
    this.#options.onEnd(why)
  }

  #sendControl(type: number, content: Partial<Pick<ControlPacket, 'info' | 'body' | 'subtype'>>): void {
    this.#put(writeControl(type, { ...content, timestamp: this.#timestamp(), destination: this.#options.peer }))
  }

  #put(packet: Buffer): void {
    this.#sentAt = this.#now()
    this.#options.out(packet)
  }

  #timestamp(): number {
    return Math.floor((this.#now() - this.#began) * 1000)
  }
}

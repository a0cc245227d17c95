// SRT sender: keeps packets until they are acknowledged or too late, and retransmits lost ones
// (draft-sharabayko-srt 4.6 to 4.9).
import type { SrtKeys } from './encryption.ts'
import {
  type ControlPacket,
  controlType,
  headerBytes,
  markAgain,
  readAcknowledgement,
  readRanges,
  writeData,
  writeDrop,
} from './packets.ts'
import { after, distance, type Range } from './sequence.ts'
import { Trip } from './trip.ts'

/** Packets sent between two ticks of 10 ms: about 60 Mbps, so that bursts do not overload the path. */
const burstPackets = 60
/** Packets retransmitted between two ticks. */
const againPackets = 200
/** Packets kept for retransmission: 12 MB at most. */
const keptPacketsMax = 8192
/** Minimum time that packets are kept, milliseconds (4.6: not below one second). */
const keptMsMin = 1_000

export interface SenderOptions {
  /** Sequence number of the first packet. */
  readonly first: number
  /** Receive window of the peer, packets. */
  readonly window: number
  /** Latency, milliseconds. */
  readonly latencyMs: number
  /** Socket number of the peer. */
  readonly destination: number
  /** Microseconds since the connection started. */
  readonly timestamp: () => number
  /** Current encryption keys; null: not encrypted. */
  readonly keys: () => SrtKeys | null
  readonly out: (packet: Buffer) => void
  readonly send: (type: number, options: Partial<Pick<ControlPacket, 'info' | 'body'>>) => void
}

interface Sent {
  readonly packet: Buffer
  readonly at: number
  againAt: number
}

export class Sender {
  readonly #options: SenderOptions
  readonly trip = new Trip()
  readonly #kept = new Map<number, Sent>()
  #waiting: { readonly payload: Buffer; readonly timestamp: number }[] = []
  #waitingBytes = 0
  /** First kept packet, and the next one to send. */
  #first: number
  #next: number
  #message = 0
  #room: number
  #left = burstPackets
  #againLeft = againPackets
  #written = 0
  #acknowledgedBytes = 0
  /** Bytes of packets that are no longer kept. */
  #forgotten = 0
  /** First packet that the peer has not acknowledged. */
  #owed: number
  /** Since when the peer acknowledges nothing new, while packets are on their way. */
  #owedSince: number | null = null
  #again = 0

  constructor(options: SenderOptions) {
    this.#options = options
    this.#first = options.first
    this.#next = options.first
    this.#owed = options.first
    this.#room = options.window
  }

  /** Bytes in the send queue. */
  get queued(): number {
    return this.#waitingBytes
  }

  /** Sent bytes without retransmissions. */
  get written(): number {
    return this.#written
  }

  /** Acknowledged bytes; packets that were dropped as late before do not count. */
  get acknowledgedBytes(): number {
    return this.#acknowledgedBytes
  }

  /** Everything was sent, and is acknowledged or too late. */
  get isDone(): boolean {
    return this.#waiting.length === 0 && this.#kept.size === 0
  }

  /** Time for which the peer acknowledges none of the packets on their way, milliseconds. */
  owedMs(now: number): number {
    return this.#owedSince === null ? 0 : now - this.#owedSince
  }

  /** Retransmitted packets. */
  get again(): number {
    return this.#again
  }

  /** Packets kept for retransmission. */
  get kept(): number {
    return this.#kept.size
  }

  /** Queues a payload and sends it when the burst limit permits. @param now monotonic milliseconds */
  push(payload: Buffer, now: number): void {
    this.#waiting.push({ payload, timestamp: this.#options.timestamp() })
    this.#waitingBytes += payload.length
    this.#flush(now)
  }

  /** Handles an acknowledgement. */
  acknowledged({ info, body }: Pick<ControlPacket, 'info' | 'body'>, now: number): void {
    const acknowledged = readAcknowledgement(body)
    if (!acknowledged) return
    if (info > 0) this.#options.send(controlType.acknowledged, { info })
    if (acknowledged.rtt !== undefined) this.trip.measure(acknowledged.rtt / 1000)
    // Only sent packets can be acknowledged.
    if (distance(acknowledged.next, this.#next) < 0) return
    if (distance(this.#owed, acknowledged.next) > 0) {
      this.#owed = acknowledged.next
      this.#owedSince = this.#owed === this.#next ? null : now
    }
    if (distance(this.#first, acknowledged.next) < 0) return
    if (acknowledged.room !== undefined) this.#room = acknowledged.room
    const before = this.#forgotten
    this.#forgetUpTo(acknowledged.next)
    this.#acknowledgedBytes += this.#forgotten - before
    this.#flush(now)
  }

  /** Handles a loss report. */
  lost(body: Buffer, now: number): void {
    // A forged report can name the same packets many times.
    let named = keptPacketsMax
    for (const range of readRanges(body)) {
      if (distance(range[0], this.#next) <= 0) continue
      const gone = this.#goneOf(range)
      if (gone) this.#options.send(controlType.drop, { body: writeDrop(gone) })
      const first = distance(range[0], this.#first) > 0 ? this.#first : range[0]
      const last = distance(range[1], this.#next) > 0 ? range[1] : after(this.#next, -1)
      const count = Math.min(named, distance(first, last) + 1)
      for (let left = count, at = first; left > 0; left--, at = after(at)) this.#sendAgain(at, now)
      named -= Math.max(0, count)
    }
  }

  /** Drops late packets and sends queued ones. Call it every 10 ms. */
  tick(now: number): void {
    this.#left = burstPackets
    this.#againLeft = againPackets
    const keptMs = Math.max(keptMsMin, this.#options.latencyMs * 1.25)
    for (let one = this.#kept.get(this.#first); one && now - one.at > keptMs; one = this.#kept.get(this.#first))
      this.#forgetUpTo(after(this.#first))
    this.#flush(now)
  }

  #flush(now: number): void {
    while (this.#left > 0 && this.#kept.size < Math.min(this.#room, keptPacketsMax)) {
      const one = this.#waiting.shift()
      if (!one) return
      this.#left--
      this.#waitingBytes -= one.payload.length
      this.#message = (this.#message % 0x3ffffff) + 1
      const { destination, out } = this.#options
      const sequence = this.#next
      const keys = this.#options.keys()
      const payload = keys ? keys.encrypt(one.payload, sequence) : one.payload
      const { timestamp } = one
      const key = keys?.parity ?? null
      const packet = writeData({ sequence, message: this.#message, key, timestamp, destination, payload })
      this.#kept.set(this.#next, { packet, at: now, againAt: now })
      this.#next = after(this.#next)
      this.#owedSince ??= now
      this.#written += one.payload.length
      out(packet)
    }
  }

  #forgetUpTo(next: number): void {
    for (let left = distance(this.#first, next); left > 0; left--) {
      this.#forgotten += (this.#kept.get(this.#first)?.packet.length ?? headerBytes) - headerBytes
      this.#kept.delete(this.#first)
      this.#first = after(this.#first)
    }
  }

  /** Part of a range that is no longer kept. */
  #goneOf([first, last]: Range): Range | null {
    if (distance(first, this.#first) <= 0) return null
    return [first, distance(last, this.#first) > 0 ? last : after(this.#first, -1)]
  }

  /** Retransmits a packet at most once per round-trip time: within it, the previous copy is still on its way. */
  #sendAgain(sequence: number, now: number): void {
    const one = this.#kept.get(sequence)
    if (!one || this.#againLeft === 0 || now - one.againAt < Math.min(this.trip.ms, 200) / 2) return
    this.#againLeft--
    one.againAt = now
    this.#again++
    markAgain(one.packet)
    this.#options.out(one.packet)
  }
}

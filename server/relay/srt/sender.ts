// What goes out by one connection: kept until the other end has it, sent again when it asks, and forgotten when it would
// come too late (draft-sharabayko-srt 4.6 to 4.9).
import type { SrtKeys } from './encryption.ts'
import {
  type ControlPacket,
  controlType,
  markAgain,
  readAcknowledgement,
  readRanges,
  writeData,
  writeDrop,
} from './packets.ts'
import { after, distance, type Range } from './sequence.ts'
import { Trip } from './trip.ts'

/** Packets between two ticks of 10 ms: some 60 Mbps, so that what is sent at once does not drown the way there. */
const burstPackets = 60
/** Packets that are sent again between two ticks. */
const againPackets = 200
/** Packets that are kept for asking again: 12 MB at most. */
const keptPacketsMax = 8192
/** How long they are kept, at least, milliseconds (4.6: not below a second). */
const keptMsMin = 1_000

export interface SenderOptions {
  /** Number of the first packet. */
  readonly first: number
  /** Packets that the other end has room for. */
  readonly window: number
  /** How long packets may take there, milliseconds. */
  readonly latencyMs: number
  /** Number of the connection at the other end. */
  readonly destination: number
  /** Microseconds since the connection began. */
  readonly timestamp: () => number
  /** What is encrypted by now; null: nothing is. */
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
  /** The first that the other end may ask for, and the next that goes out. */
  #first: number
  #next: number
  #message = 0
  #room: number
  #left = burstPackets
  #againLeft = againPackets
  #written = 0
  #again = 0

  constructor(options: SenderOptions) {
    this.#options = options
    this.#first = options.first
    this.#next = options.first
    this.#room = options.window
  }

  /** Bytes that wait to be sent. */
  get queued(): number {
    return this.#waitingBytes
  }

  /** Bytes that were sent, without those that were sent again. */
  get written(): number {
    return this.#written
  }

  /** Packets that were sent again. */
  get again(): number {
    return this.#again
  }

  /** Packets that may be asked for. */
  get kept(): number {
    return this.#kept.size
  }

  /** Sends, as soon as it may. @param now milliseconds that only grow */
  push(payload: Buffer, now: number): void {
    this.#waiting.push({ payload, timestamp: this.#options.timestamp() })
    this.#waitingBytes += payload.length
    this.#flush(now)
  }

  /** The other end says what it has. */
  acknowledged({ info, body }: Pick<ControlPacket, 'info' | 'body'>, now: number): void {
    const said = readAcknowledgement(body)
    if (!said) return
    if (info > 0) this.#options.send(controlType.acknowledged, { info })
    if (said.rtt !== undefined) this.trip.measure(said.rtt / 1000)
    // What was never sent cannot have come.
    if (distance(this.#first, said.next) < 0 || distance(said.next, this.#next) < 0) return
    if (said.room !== undefined) this.#room = said.room
    this.#forgetUpTo(said.next)
    this.#flush(now)
  }

  /** The other end says what it misses. */
  lost(body: Buffer, now: number): void {
    for (const range of readRanges(body)) {
      if (distance(range[0], this.#next) <= 0) continue
      const gone = this.#goneOf(range)
      if (gone) this.#options.send(controlType.drop, { body: writeDrop(gone) })
      const first = distance(range[0], this.#first) > 0 ? this.#first : range[0]
      const last = distance(range[1], this.#next) > 0 ? range[1] : after(this.#next, -1)
      for (let left = distance(first, last), at = first; left >= 0; left--, at = after(at)) this.#sendAgain(at, now)
    }
  }

  /** Forgets what is too old, and sends what had to wait. Call it each 10 ms. */
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
      this.#written += one.payload.length
      out(packet)
    }
  }

  #forgetUpTo(next: number): void {
    for (let left = distance(this.#first, next); left > 0; left--) {
      this.#kept.delete(this.#first)
      this.#first = after(this.#first)
    }
  }

  /** Which part of a run is forgotten already. */
  #goneOf([first, last]: Range): Range | null {
    if (distance(first, this.#first) <= 0) return null
    return [first, distance(last, this.#first) > 0 ? last : after(this.#first, -1)]
  }

  /** Once within the time there and back: asked again sooner, it is on its way. */
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

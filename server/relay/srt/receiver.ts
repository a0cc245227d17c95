// SRT receiver: orders packets, requests retransmissions and drops late packets (draft-sharabayko-srt 4.5 to 4.8). Packets are
// delivered immediately, because the consumer paces by the timestamps of the stream.
import {
  behind,
  controlType,
  type ControlPacket,
  type DataPacket,
  readDrop,
  writeAcknowledgement,
  writeRanges,
} from './packets.ts'
import { after, distance, type Range, toRanges } from './sequence.ts'
import { Trip } from './trip.ts'

/** Receive window, packets: 12 MB at most. */
export const windowPackets = 8192
/** Ranges in one loss report: 16 bytes of header, 8 per range. */
const rangesMax = 150
/** Minimum interval of loss reports for a packet, milliseconds (4.8.2). */
const lossMs = 20
/** Limit of acknowledgements that wait for their response. */
const waitingMax = 64
const rateMs = 1_000

export interface ReceiverOptions {
  /** Sequence number of the first packet. */
  readonly first: number
  /** Time to wait for a missing packet, milliseconds. */
  readonly latencyMs: number
  /** Wait before a gap is reported, milliseconds: packets of several paths overtake each other. */
  readonly reorderMs: number
  /** Receives payloads in order. */
  readonly deliver: (payload: Buffer) => void
  readonly send: (type: number, options: Partial<Pick<ControlPacket, 'info' | 'body'>>) => void
}

/** Counts of received and lost packets. */
export interface Received {
  readonly packets: number
  readonly bytes: number
  /** `lost`: packets missing when a later one arrived, and after the wait for several paths; `dropped`: lost packets that never arrived in time. */
  readonly lost: number
  readonly dropped: number
}

export class Receiver {
  readonly #options: ReceiverOptions
  readonly trip = new Trip()
  /** First missing packet, and the first after the highest received one. */
  #next: number
  #top: number
  readonly #held = new Map<number, { readonly payload: Buffer; readonly at: number }>()
  /** Time of the last loss report by missing packet, in order of sequence numbers. */
  readonly #lost = new Map<number, number>()
  /** Time at which a packet was found missing, while it may still come by a slower path. */
  readonly #gaps = new Map<number, number>()
  #acknowledged: number
  #acknowledgedAt = 0
  #acknowledgements = 0
  readonly #waiting = new Map<number, number>()
  readonly #counts = { packets: 0, bytes: 0, lost: 0, dropped: 0 }
  #rate = { at: 0, packets: 0, bytes: 0, packetRate: 0, byteRate: 0 }

  constructor(options: ReceiverOptions) {
    this.#options = options
    this.#next = options.first
    this.#top = options.first
    this.#acknowledged = options.first
  }

  get counts(): Received {
    return this.#counts
  }

  /** Packets that wait for a missing one. */
  get held(): number {
    return this.#held.size
  }

  /** Time that the oldest held packet has waited for a missing one, milliseconds. @param now monotonic milliseconds */
  heldMs(now: number): number {
    const [oldest] = this.#held.values()
    return oldest ? Math.max(0, now - oldest.at) : 0
  }

  /** Handles a data packet. @param now monotonic milliseconds */
  take({ sequence, payload }: Pick<DataPacket, 'sequence' | 'payload'>, now: number): void {
    const ahead = distance(this.#next, sequence)
    // A duplicate, or too late.
    if (ahead < 0 || this.#held.has(sequence)) return
    this.#counts.packets++
    this.#counts.bytes += payload.length
    if (ahead >= windowPackets) this.#skipTo(sequence)
    this.#note(sequence, now)
    if (sequence !== this.#next) return void this.#held.set(sequence, { payload, at: now })
    this.#next = after(sequence)
    this.#options.deliver(payload)
    this.#deliverHeld()
  }

  /** Handles a drop request of the sender. */
  drop(body: Buffer): void {
    const range = readDrop(body)
    if (!range || distance(range[0], this.#next) < 0 || distance(this.#next, range[1]) < 0) return
    // Only numbers that have been seen: the receiver would jump to a number far ahead.
    if (distance(this.#top, behind(range)) <= 0) this.#skipTo(behind(range))
    this.#deliverHeld()
  }

  /** Measures the round-trip time when the sender confirms an acknowledgement (4.10). */
  confirmed(acknowledgement: number, now: number): void {
    const at = this.#waiting.get(acknowledgement)
    if (at === undefined) return
    for (const number of this.#waiting.keys()) if (number <= acknowledgement) this.#waiting.delete(number)
    this.trip.measure(now - at)
  }

  /** Drops late packets, acknowledges received ones and reports missing ones. Call it every 10 ms (4.8.1). */
  tick(now: number): void {
    this.#dropLate(now)
    this.#measure(now)
    this.#acknowledge(now)
    this.#closeGaps(now)
    const again = Math.max(lossMs, (this.trip.ms + 4 * this.trip.variance) / 2)
    const due = [...this.#lost].filter(([, askedAt]) => now - askedAt >= again).map(([sequence]) => sequence)
    this.#ask(toRanges(due, rangesMax), now)
  }

  /** Marks the packets missing before a received one and reports them immediately (4.8.2). */
  #note(sequence: number, now: number): void {
    this.#lost.delete(sequence)
    this.#gaps.delete(sequence)
    const ahead = distance(this.#top, sequence)
    if (ahead < 0) return
    if (ahead > 0 && this.#options.reorderMs > 0) {
      for (let at = this.#top; at !== sequence; at = after(at)) this.#gaps.set(at, now)
    } else if (ahead > 0) {
      this.#counts.lost += ahead
      this.#ask([[this.#top, after(sequence, -1)]], now)
    }
    this.#top = after(sequence)
  }

  /** Counts packets as lost that no slower path has brought in time. They are reported with the next loss report. */
  #closeGaps(now: number): void {
    for (const [sequence, at] of this.#gaps) {
      if (now - at < this.#options.reorderMs) return
      this.#gaps.delete(sequence)
      this.#lost.set(sequence, -Infinity)
      this.#counts.lost++
    }
  }

  #ask(ranges: readonly Range[], now: number): void {
    if (ranges.length === 0) return
    for (const [first, last] of ranges)
      for (let left = distance(first, last), at = first; left >= 0; left--, at = after(at)) this.#lost.set(at, now)
    this.#options.send(controlType.loss, { body: writeRanges(ranges) })
  }

  #deliverHeld(): void {
    for (let one = this.#held.get(this.#next); one; one = this.#held.get(this.#next)) {
      this.#held.delete(this.#next)
      this.#next = after(this.#next)
      this.#options.deliver(one.payload)
    }
  }

  /** Drops the missing packets before a number and delivers the received ones in order. */
  #skipTo(sequence: number): void {
    // The jump may be wide: only numbers up to the highest received one are checked.
    const known = Math.min(distance(this.#next, sequence), Math.max(0, distance(this.#next, this.#top)))
    for (let left = known; left > 0; left--) {
      const one = this.#held.get(this.#next)
      this.#held.delete(this.#next)
      this.#lost.delete(this.#next)
      this.#gaps.delete(this.#next)
      this.#next = after(this.#next)
      if (one) this.#options.deliver(one.payload)
      else this.#counts.dropped++
    }
    this.#next = sequence
    if (distance(this.#top, sequence) > 0) this.#top = sequence
  }

  /** Drops the packets that are missing before the first waiting one when its latency has passed (4.6). */
  #dropLate(now: number): void {
    while (this.#held.size > 0) {
      let first = this.#next
      while (!this.#held.has(first)) first = after(first)
      if (now - (this.#held.get(first)?.at ?? now) < this.#options.latencyMs) return
      this.#skipTo(first)
      this.#deliverHeld()
    }
  }

  #acknowledge(now: number): void {
    const isNew = this.#next !== this.#acknowledged
    const isUnconfirmed = this.#waiting.size > 0 && now - this.#acknowledgedAt > this.trip.ms + 4 * this.trip.variance
    if (!isNew && !isUnconfirmed) return
    this.#acknowledged = this.#next
    this.#acknowledgedAt = now
    const info = ++this.#acknowledgements
    this.#waiting.set(info, now)
    if (this.#waiting.size > waitingMax) this.#waiting.delete(this.#waiting.keys().next().value ?? 0)
    const { packetRate, byteRate } = this.#rate
    const body = writeAcknowledgement({
      next: this.#next,
      rtt: this.trip.ms * 1000,
      rttVariance: this.trip.variance * 1000,
      room: Math.max(2, windowPackets - this.#held.size),
      packetRate,
      byteRate,
    })
    this.#options.send(controlType.acknowledgement, { info, body })
  }

  #measure(now: number): void {
    const passed = now - this.#rate.at
    if (passed < rateMs) return
    const { packets, bytes } = this.#counts
    const packetRate = ((packets - this.#rate.packets) * 1000) / passed
    const byteRate = ((bytes - this.#rate.bytes) * 1000) / passed
    this.#rate = { at: now, packets, bytes, packetRate, byteRate }
  }
}

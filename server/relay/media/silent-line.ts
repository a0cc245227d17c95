// Silence for streams without sound: platforms such as YouTube show none of them. A line stands behind the stream of a channel that
// needs sound. While the stream has sound, channels receive it as it is; without sound, from a hub of the line.
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { Hub, type Receiver } from './hub.ts'
import type { Packet } from './packet.ts'
import { SilentSound, silenceFor, silentHeader } from './silence.ts'

/** A stream has no sound after pictures of this length without any, milliseconds: encoders announce their tracks one after another. */
const unheardMs = 3_000
/** Sound that was there is gone after pictures of this length, milliseconds: channels connect anew to get silence. */
const goneMs = 10_000
/** A longer step between pictures is a gap, of which only this counts, milliseconds. */
const stepMsMax = 1_000

export class SilentLine implements Receiver {
  readonly #input: Hub
  readonly #onChange: () => void
  readonly #detach: () => void
  /** Stream with silence; null until the input is without sound. */
  #output: Hub | null = null
  #isKnown: boolean
  #isSilent = false
  #silence = new SilentSound()
  /** Length of the pictures since the last sound, milliseconds. */
  #quietMs = 0
  /** Arrival of the last picture, monotonic milliseconds. */
  #pictureAt: number | null = null

  /** @param onChange called when the sound is known, and when `hub` is another one */
  constructor(input: Hub, onChange: () => void) {
    this.#input = input
    this.#onChange = onChange
    this.#isKnown = input.tracks().audio
    this.#detach = input.attach(this)
  }

  /** False until the stream had sound, or none for some seconds: channels wait, because platforms take the tracks of the beginning. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  /** The stream for channels: the input, or the one with silence. It stays, also with sound again. */
  get hub(): Hub {
    return this.#output ?? this.#input
  }

  take(packet: Packet): void {
    if (packet.kind === 'audio') this.#hear(packet)
    else this.#forward(packet)
    if (packet.kind === 'video' && packet.role !== 'header') this.#see(packet)
  }

  close(): void {
    this.#detach()
  }

  #hear(packet: Packet): void {
    const { role, timestamp } = packet
    // Silence has a header of its own until sound arrives.
    if (role === 'header') return this.#isSilent ? undefined : this.#forward(packet)
    this.#quietMs = 0
    this.#isSilent = false
    // The silence is a frame ahead of the picture.
    if (this.#silence.covers(timestamp)) return
    this.#silence = new SilentSound()
    this.#restoreHeader(timestamp)
    this.#forward(packet)
    this.#know()
  }

  #see({ timestamp }: Packet): void {
    const now = performance.now()
    this.#quietMs += Math.min(stepMsMax, now - (this.#pictureAt ?? now))
    this.#pictureAt = now
    if (this.#isSilent) return this.#fill(timestamp)
    const hasHeader = this.#input.header('audio') !== undefined
    if (hasHeader) this.#know()
    if (this.#quietMs < (this.#output || !hasHeader ? unheardMs : goneMs)) return
    this.#begin(timestamp)
  }

  /** The stream is without sound. */
  #begin(timestamp: number): void {
    this.#isSilent = true
    const isFirst = !this.#output
    const output = (this.#output ??= new Hub(this.#input.gatherMs))
    const group = isFirst ? this.#input.group() : []
    const from = group[0]?.timestamp ?? timestamp
    if (isFirst)
      this.#push(
        output,
        this.#input.headers().map((one) => messageOf(one.at(from))),
      )
    const header = output.header('audio')?.payload
    const isKept = header !== undefined && silenceFor(header) !== null
    if (!isKept) this.#push(output, [soundAt(from, silentHeader)])
    this.#silence = new SilentSound(isKept ? header : silentHeader)
    for (const packet of group) {
      if (packet.kind === 'audio') continue
      this.#push(output, [messageOf(packet)])
      if (packet.kind === 'video') this.#fill(packet.timestamp)
    }
    if (!isFirst) return this.#fill(timestamp)
    this.#isKnown = true
    this.#onChange()
  }

  /** Sends silence up to a picture. */
  #fill(timestamp: number): void {
    if (this.#output) this.#push(this.#output, this.#silence.upTo(timestamp))
  }

  /** Sound returns in the form of the encoder's. */
  #restoreHeader(timestamp: number): void {
    const header = this.#input.header('audio')
    if (!this.#output || !header || this.#output.header('audio')?.payload.equals(header.payload)) return
    this.#push(this.#output, [soundAt(timestamp, header.payload)])
  }

  #know(): void {
    if (this.#isKnown) return
    this.#isKnown = true
    this.#onChange()
  }

  #forward(packet: Packet): void {
    if (this.#output) this.#push(this.#output, [messageOf(packet)])
  }

  #push(output: Hub, messages: readonly Message[]): void {
    output.push(messages, Date.now())
  }
}

const messageOf = ({ type, timestamp, payload }: Packet): Message => ({ type, streamId: 1, timestamp, payload })
const soundAt = (timestamp: number, payload: Buffer): Message => ({
  type: messageType.audio,
  streamId: 1,
  timestamp,
  payload,
})

/** The lines of one project: one for each stream that has channels which need sound. */
export class SilentLines {
  readonly #lines = new Map<Hub, SilentLine>()
  readonly #lineOf = new Map<number, SilentLine>()
  readonly #onChange: (ids: readonly number[]) => void

  /** @param onChange called for the destinations of a line whose stream changes */
  constructor(onChange: (ids: readonly number[]) => void) {
    this.#onChange = onChange
  }

  /** Returns the line of a destination behind its stream. @param id of the destination */
  behind(input: Hub, id: number): SilentLine {
    const known = this.#lines.get(input)
    const line = known ?? new SilentLine(input, () => this.#onChange(this.#idsOf(line)))
    this.#lines.set(input, line)
    this.#lineOf.set(id, line)
    return line
  }

  /** Returns whether a destination has to wait until the sound of its stream is known. */
  isAwaited(id: number): boolean {
    return this.#lineOf.get(id)?.isKnown === false
  }

  /** A destination ends. */
  remove(id: number): void {
    this.#lineOf.delete(id)
  }

  /** Ends the lines that no destination uses. */
  sweep(): void {
    const used = new Set(this.#lineOf.values())
    for (const [input, line] of this.#lines)
      if (!used.has(line)) {
        line.close()
        this.#lines.delete(input)
      }
  }

  close(): void {
    this.#lineOf.clear()
    this.sweep()
  }

  #idsOf(line: SilentLine): readonly number[] {
    return [...this.#lineOf].flatMap(([id, one]) => (one === line ? [id] : []))
  }
}

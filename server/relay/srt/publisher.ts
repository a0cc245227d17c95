// SRT publisher: remuxes MPEG-TS to FLV with ffmpeg and passes it on like RTMP media, further sounds as tracks. When ffmpeg exits, and
// when the sounds of the encoder change, the next one continues at a keyframe.
import type { Publication } from '#server/relay/ingest/publication.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import { type FurtherSound, Remux } from './remux.ts'
import { type TransportPacket, TransportReader } from './transport-packets.ts'

/** Search limit for encoders that mark no keyframes, bytes; after it the stream starts anywhere. */
const searchBytesMax = 4 * 1024 * 1024
/** Queue limit for ffmpeg, bytes; beyond it packets are dropped until the next keyframe. */
const queueBytesMax = 16 * 1024 * 1024
/** Exits of ffmpeg without any output before the publisher gives up. */
const failuresMax = 3
/** Time from the first keyframe in which the further sounds may begin, milliseconds. Those that begin later cost a restart of ffmpeg. */
const soundsMs = 500
/** Shortest time between two restarts for other streams, milliseconds. */
const restartMs = 5_000
/** Longest wait for the first output with further sounds, milliseconds: a program on a busy machine starts slowly. */
const stuckMs = 12_000

export interface PublisherOptions {
  readonly programs: Pick<Programs, 'keep'>
  readonly publication: Publication
  /** Called when ffmpeg can remux no stream of the input. */
  readonly onUseless: () => void
  /** Called after the end, when all output has been passed on. */
  readonly onFlushed: () => void
}

export class SrtPublisher {
  readonly #options: PublisherOptions
  readonly #reader = new TransportReader()
  /** Null before the first keyframe. */
  #remux: Remux | null = null
  /** Streams that it remuxes, as text. */
  #streams = ''
  #remuxAt = 0
  /** Output of earlier ones that is still passed on. */
  #before: Promise<unknown> = Promise.resolve()
  /** Packets since the first keyframe, while its further sounds have not begun. */
  #opening: { readonly packets: Buffer[]; readonly at: number } | null = null
  /** Numbers of the further sounds by their PID: a sound keeps its number while the tables have it. */
  #numbers = new Map<number, number>()
  /** ffmpeg could not remux the further sounds of these streams: it gets none of their packets. */
  #refused = ''
  #searched: number | null = 0
  #failures = 0
  #isOver = false
  #isStale = false

  constructor(options: PublisherOptions) {
    this.#options = options
  }

  /** Handles the next bytes of the stream. */
  take(bytes: Buffer): void {
    const packets = this.#reader.read(bytes)
    if (this.#isOver) return
    if (this.#remux) return this.#write(packets)
    for (const [index, packet] of packets.entries())
      if (this.#open(packet)) return this.#write(packets.slice(index + 1))
  }

  /**
   * Ends the publisher. The remaining output of ffmpeg is passed on first, within the flush time.
   * @param isStale the encoder has been silent for seconds: the rest is dropped, because it would pass for a new message
   */
  async end(isStale = false): Promise<void> {
    this.#isOver = true
    this.#isStale = isStale
    const remux = this.#remux
    await this.#before
    await remux?.end()
    this.#options.onFlushed()
    await remux?.stop()
  }

  /** Begins at a keyframe, when its further sounds have begun. @returns whether it has begun */
  #open({ bytes, isStart }: TransportPacket): boolean {
    this.#searched = (this.#searched ?? 0) + bytes.length
    if (!this.#opening && !isStart && this.#searched < searchBytesMax) return false
    this.#opening ??= { packets: [...this.#reader.opening()], at: performance.now() }
    const { packets, at } = this.#opening
    packets.push(bytes)
    const isComplete = this.#reader.streams.further.every((pid) => this.#reader.hasHeard(pid))
    const isLate = performance.now() - at > soundsMs || packets.length * bytes.length > searchBytesMax
    if (!isComplete && !isLate) return false
    this.#opening = null
    this.#begin()
    this.#remux?.input?.write(Buffer.concat(packets))
    this.#searched = null
    return true
  }

  #write(packets: readonly TransportPacket[]): void {
    let on: Buffer[] = []
    const flush = () => {
      if (on.length > 0) this.#remux?.input?.write(Buffer.concat(on))
      on = []
    }
    for (const { bytes, pid, isStart } of packets) {
      if (this.#refused !== '' && this.#reader.streams.further.includes(pid)) continue
      if (isStart && this.#isOther()) {
        flush()
        this.#begin()
      } else if (isStart && this.#isStuck()) {
        flush()
        this.#refuse()
      }
      const input = this.#remux?.input
      if (!input) continue
      if (this.#searched === null && input.writableLength > queueBytesMax) this.#searched = 0
      if (this.#searched !== null) {
        this.#searched += bytes.length
        if (!isStart && this.#searched < searchBytesMax) continue
        if (input.writableLength > queueBytesMax / 4) continue
        this.#searched = null
        on.push(...this.#reader.opening())
      }
      on.push(bytes)
    }
    flush()
  }

  /** Further sounds that ffmpeg is to remux now. */
  #sounds(): readonly FurtherSound[] {
    const { further } = this.#reader.streams
    const known = new Map([...this.#numbers].filter(([pid]) => further.includes(pid)))
    for (const pid of further) if (!known.has(pid)) known.set(pid, firstFree(new Set(known.values())))
    this.#numbers = known
    return further.flatMap((pid) => {
      const track = known.get(pid)
      return track !== undefined && this.#reader.hasHeard(pid) ? [{ pid, track }] : []
    })
  }

  #nameOf(sounds: readonly FurtherSound[]): string {
    const { picture, sound } = this.#reader.streams
    return [picture, sound, ...sounds.map(({ pid, track }) => `${pid}=${track}`)].join(' ')
  }

  /** Returns whether the streams are other ones than those that ffmpeg remuxes. Too many changes wait. */
  #isOther(): boolean {
    const name = this.#nameOf(this.#sounds())
    if (name === this.#streams || name === this.#refused) return false
    return performance.now() - this.#remuxAt >= restartMs
  }

  /** Begins a new ffmpeg, whose output follows that of the one before. */
  #begin(isPlain = false): void {
    const last = this.#remux
    if (last) this.#before = Promise.all([this.#before, last.end()]).then(() => void last.stop())
    const sounds = this.#sounds()
    const { programs, publication } = this.#options
    this.#streams = this.#nameOf(sounds)
    if (!isPlain) this.#refused = ''
    this.#remuxAt = performance.now()
    this.#remux = new Remux({
      programs,
      sounds: isPlain ? [] : sounds,
      after: this.#before,
      take: (message) => (this.#isStale ? undefined : publication.take(message)),
      onStart: () => (this.#searched = 0),
      onExit: (hadOutput) => this.#exit(hadOutput, !isPlain && sounds.length > 0),
    })
  }

  #exit(hadOutput: boolean, hadSounds: boolean): void {
    if (this.#isOver) return
    this.#failures = hadOutput ? 0 : this.#failures + 1
    if (this.#failures >= failuresMax) return this.#options.onUseless()
    // A further sound that cannot be remuxed takes the picture along.
    if (!hadOutput && hadSounds) this.#refuse()
  }

  /** Without the parameters of a sound, ffmpeg reads on and on. */
  #isStuck(): boolean {
    const isPlain = this.#refused === this.#streams || !this.#streams.includes('=')
    return !isPlain && this.#remux?.hasOutput === false && performance.now() - this.#remuxAt >= stuckMs
  }

  /** Goes on without the further sounds of these streams. */
  #refuse(): void {
    this.#refused = this.#streams
    this.#begin(true)
  }
}

const firstFree = (used: ReadonlySet<number>): number => {
  let number = 1
  while (used.has(number)) number++
  return number
}

// Reads a film from the disk by position, ahead of the player and never in its way.
import { type FileHandle, open } from 'node:fs/promises'
import { flvHeader, FlvReader } from '#server/relay/media/flv.ts'
import { compositionMs, inspectAudio, inspectVideo } from '#server/relay/media/codecs.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import type { Film, FilmKey } from './film.ts'

const chunkBytes = 256 * 1024
/** Read-ahead, bytes: some seconds of a usual stream. */
const aheadBytesMax = 1024 * 1024
/** A disk without an answer for this time has failed, milliseconds. */
const stallMs = 2_000
/** As often at least the player came for nothing meanwhile: a busy thread is no slow disk. */
const stallTakes = 10

export class FilmReader {
  /** Time of the keyframe that it begins with, milliseconds. */
  readonly beginsAt: number
  readonly #film: Film
  readonly #parser = new FlvReader()
  /** Messages that were read and not taken. */
  #messages: Message[] = []
  #aheadBytes = 0
  /** Presentation of the first picture, milliseconds after its decoding; sound is heard when it is. */
  #delayMs: number | null = null
  /** Offset of the next read. */
  #at: number
  #handle: FileHandle | null = null
  #isReading = false
  #isClosed = false
  #failed = false
  /** Takes without a message in a row, and the time of the first one, monotonic milliseconds. */
  #starved = { takes: 0, since: 0 }

  /** Begins at the keyframe at or before a position. @param fromMs milliseconds from the beginning of the film */
  constructor(film: Film, fromMs = 0) {
    const [ms, offset] = keyBefore(film.keys, fromMs)
    this.#film = film
    this.beginsAt = ms
    this.#parser.read(flvHeader({ audio: true, video: true }))
    const head = film.head.subarray(offset)
    this.#at = offset + head.length
    try {
      this.#parse(head)
    } catch {
      this.#fail()
    }
    void this.#read()
  }

  /** The file is gone or damaged, or the disk does not answer: no more messages. */
  get failed(): boolean {
    return this.#failed
  }

  /** All messages were taken. */
  get isOver(): boolean {
    return this.#at >= this.#film.bytes && this.#messages.length === 0
  }

  /**
   * Returns the messages up to a time, in order, without those that were taken before and those that are not read yet.
   * @param untilMs milliseconds from the beginning of the film, as are the timestamps
   */
  take(untilMs: number): readonly Message[] {
    const first = this.#messages.findIndex(({ timestamp }) => timestamp > untilMs)
    // What was taken is not kept: a message keeps the memory of a whole chunk.
    const taken = this.#messages.splice(0, first < 0 ? this.#messages.length : first)
    for (const { payload } of taken) this.#aheadBytes -= payload.length
    this.#watch()
    void this.#read()
    return taken
  }

  close(): void {
    this.#isClosed = true
    this.#messages = []
    if (!this.#isReading) this.#release()
  }

  /** Reads up to the limit; one run at a time. */
  async #read(): Promise<void> {
    const isDone = () => this.#isClosed || this.#failed || this.#at >= this.#film.bytes
    if (this.#isReading || isDone() || this.#aheadBytes >= aheadBytesMax) return
    this.#isReading = true
    try {
      this.#handle ??= await open(this.#film.path)
      while (!isDone() && this.#aheadBytes < aheadBytesMax) {
        const length = Math.min(chunkBytes, this.#film.bytes - this.#at)
        const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(length), 0, length, this.#at)
        if (bytesRead === 0) throw new Error('The film is cut short')
        this.#at += bytesRead
        this.#parse(buffer.subarray(0, bytesRead))
      }
    } catch {
      this.#fail()
    } finally {
      this.#isReading = false
    }
    if (isDone()) this.#release()
  }

  #parse(bytes: Buffer): void {
    if (this.#isClosed) return
    for (const message of this.#parser.read(bytes)) {
      if (message.type === messageType.video) this.#delayMs ??= compositionMs(message)
      if (!isWanted(message, this.beginsAt, this.#film.durationMs + (this.#delayMs ?? 0))) continue
      this.#messages.push(message)
      this.#aheadBytes += message.payload.length
    }
  }

  #watch(): void {
    const isWaiting = this.#isReading && this.#messages.length === 0
    if (!isWaiting || this.#starved.takes === 0) this.#starved = { takes: 0, since: performance.now() }
    if (isWaiting && ++this.#starved.takes > stallTakes && performance.now() - this.#starved.since > stallMs)
      this.#fail()
  }

  #fail(): void {
    if (this.#isClosed) return
    this.#failed = this.#film.isBroken = true
  }

  #release(): void {
    void this.#handle?.close().catch(() => undefined)
    this.#handle = null
  }
}

function keyBefore(keys: readonly FilmKey[], ms: number): FilmKey {
  let [low, high] = [0, keys.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((keys[middle]?.[0] ?? 0) <= ms) low = middle
    else high = middle - 1
  }
  return keys[low] ?? [0, 0]
}

/** Sound that begins before the first picture or after the last one belongs to no picture. */
function isWanted({ type, timestamp, payload }: Message, fromMs: number, untilMs: number): boolean {
  if (type === messageType.video) return inspectVideo(payload).role !== 'header'
  return inspectAudio(payload).role !== 'header' && timestamp >= fromMs && timestamp < untilMs
}

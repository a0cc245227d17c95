// Bitrate that the limit of the tariff applies to, of an encoder with several tracks.
import { trackKey, type TrackMessage } from './tracks.ts'

/** Seconds of the average, as of the whole stream. */
const averageSeconds = 10
/** The sum of all tracks may be so many times the limit. */
const sumFactor = 3

export class TrackRates {
  #bytes = new Map<number, number>()
  readonly #recent: ReadonlyMap<number, number>[] = []
  #at: number

  /** @param now wall clock, milliseconds */
  constructor(now: number) {
    this.#at = now
  }

  add({ kind, id, message }: TrackMessage): void {
    if (kind === 'data') return
    const key = trackKey(kind, id)
    this.#bytes.set(key, (this.#bytes.get(key) ?? 0) + message.payload.length)
  }

  /** Ends a second. @param now wall clock, milliseconds */
  second(now: number): void {
    const seconds = Math.max(0.001, (now - this.#at) / 1000)
    this.#recent.push(new Map([...this.#bytes].map(([key, bytes]) => [key, (bytes * 8) / 1000 / seconds])))
    if (this.#recent.length > averageSeconds) this.#recent.shift()
    this.#at = now
    this.#bytes = new Map()
  }

  /**
   * Returns the bitrate for the limit: of the largest picture with the largest sound, or a third of the sum if that is more.
   * @param kbps average of the whole stream, which counts alone for an encoder with one track of each kind
   */
  judged(kbps: number): number {
    const largest = (kind: 'audio' | 'video') => {
      const side = trackKey(kind, 0)
      const keys = new Set(this.#recent.flatMap((second) => [...second.keys()].filter((key) => key % 2 === side)))
      const rates = [...keys].map((key) => this.#recent.reduce((sum, second) => sum + (second.get(key) ?? 0), 0))
      return { count: keys.size, kbps: Math.max(0, ...rates) / Math.max(1, this.#recent.length) }
    }
    const [video, audio] = [largest('video'), largest('audio')]
    if (video.count <= 1 && audio.count <= 1) return kbps
    return Math.round(Math.max(video.kbps + audio.kbps, kbps / sumFactor))
  }
}

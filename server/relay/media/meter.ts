// Measures the ingest each second by its packets, not by its metadata.
import { fpsMax, kbpsMax } from '#contract/relay/reports.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import type { Averages } from '#server/domain/broadcasts/verdict.ts'
import { inspectVideo, isFrame } from './codecs.ts'

/** One second of a stream. */
export interface IngestSample {
  /** Kilobits per second of audio, video and data. */
  readonly kbps: number
  /** Video frames in that second. */
  readonly fps: number
  /** Milliseconds between the last two keyframes; null before there were two. */
  readonly gopMs: number | null
}

/** Seconds of the average, which smooths single scenes. */
const averageSeconds = 10
/** Seconds until the bitrate is known. */
const steadySeconds = 2
/** Seconds of the figures that pages show, and how many of them are needed. */
const shownSeconds = 5
const shownMin = 3

/** Sums of a second with media. */
interface Second {
  readonly seconds: number
  readonly bytes: number
  readonly videoBytes: number
  readonly audioBytes: number
  readonly frames: number
  /** Longest distance of two frames, milliseconds. */
  readonly stepMs: number
}

export class Meter {
  /** Bytes of media since the beginning. */
  total = 0
  #bytes = 0
  #frames = 0
  #keyAt: number | null = null
  #gopMs: number | null = null
  #at: number
  readonly #recent: number[] = []
  /** The same without seconds without media, and without the first one after them. */
  readonly #flowing: number[] = []
  #flows = false
  /** The last seconds with media of this connection. */
  #seconds: Second[] = []
  #videoBytes = 0
  #audioBytes = 0
  #frameAt: number | null = null
  #stepMs = 0

  /** @param now wall clock, milliseconds */
  constructor(now: number) {
    this.#at = now
  }

  /** A new connection of an encoder: its timestamps are unrelated to the previous ones. */
  restart(): void {
    this.#keyAt = null
    this.#gopMs = null
    this.#frameAt = null
    this.#seconds = []
    this.#flows = false
  }

  /**
   * Counts a message.
   * @param sent counts as bytes
   * @param passed counts as a frame: the forwarded part, or null
   */
  add(sent: Message, passed: Message | null = sent): void {
    this.#bytes += sent.payload.length
    this.total += sent.payload.length
    if (isFrame(sent)) {
      if (sent.type === messageType.video) this.#videoBytes += sent.payload.length
      else this.#audioBytes += sent.payload.length
    }
    if (passed?.type !== messageType.video) return
    const { timestamp, payload } = passed
    const { role } = inspectVideo(payload)
    if (role === 'header') return
    this.#frames++
    this.#stepMs = Math.max(this.#stepMs, this.#frameAt === null ? 0 : (timestamp - this.#frameAt) | 0)
    this.#frameAt = timestamp
    if (role !== 'key') return
    // Signed 32 bits: correct at the wrap, and negative when time goes back.
    const since = this.#keyAt === null ? 0 : (timestamp - this.#keyAt) | 0
    if (since > 0) this.#gopMs = since
    this.#keyAt = timestamp
  }

  /** Returns the last second. @param now wall clock, milliseconds */
  sample(now: number): IngestSample {
    const seconds = Math.max(0.001, (now - this.#at) / 1000)
    // A clock that was set back makes a second short, and its rates large.
    const kbps = Math.min(kbpsMax, Math.round((this.#bytes * 8) / 1000 / seconds))
    const fps = Math.min(fpsMax, Math.round((this.#frames / seconds) * 10) / 10)
    keep(this.#recent, kbps)
    if (kbps > 0 && this.#flows) {
      keep(this.#flowing, kbps)
      const [bytes, videoBytes, audioBytes] = [this.#bytes, this.#videoBytes, this.#audioBytes]
      this.#seconds.push({ seconds, bytes, videoBytes, audioBytes, frames: this.#frames, stepMs: this.#stepMs })
      if (this.#seconds.length > shownSeconds) this.#seconds.shift()
    }
    this.#flows = kbps > 0
    this.#at = now
    this.#bytes = this.#videoBytes = this.#audioBytes = this.#frames = this.#stepMs = 0
    return { kbps, fps, gopMs: this.#gopMs }
  }

  /**
   * Returns the averages of the last five seconds with media; null before the third. The first second of a connection is often
   * not a whole one, and does not count.
   */
  averages(): Averages | null {
    if (this.#seconds.length < shownMin) return null
    const sum = (of: (second: Second) => number) => this.#seconds.reduce((total, second) => total + of(second), 0)
    const seconds = sum((second) => second.seconds)
    const kbpsOf = (bytes: number) => Math.min(kbpsMax, Math.round((bytes * 80) / 1000 / seconds) / 10)
    return {
      kbps: Math.round(kbpsOf(sum(({ bytes }) => bytes))),
      fps: Math.min(fpsMax, Math.round((sum(({ frames }) => frames) / seconds) * 10) / 10),
      videoKbps: kbpsOf(sum(({ videoBytes }) => videoBytes)),
      audioKbps: kbpsOf(sum(({ audioBytes }) => audioBytes)),
      stepMs: Math.max(...this.#seconds.map(({ stepMs }) => stepMs)),
    }
  }

  /** Returns the length of the stream since the last keyframe, milliseconds; 0 without one. */
  keyAgeMs(): number {
    return this.#keyAt === null || this.#frameAt === null ? 0 : Math.max(0, (this.#frameAt - this.#keyAt) | 0)
  }

  /** Returns the average of the last ten seconds, kbps; 0 before the first. */
  average(): number {
    return averageOf(this.#recent)
  }

  /** Returns the average of the last ten seconds with media, kbps; 0 before the third. */
  steady(): number {
    return this.#flowing.length < steadySeconds ? 0 : averageOf(this.#flowing)
  }
}

function keep(seconds: number[], kbps: number): void {
  seconds.push(kbps)
  if (seconds.length > averageSeconds) seconds.shift()
}

const averageOf = (seconds: readonly number[]): number =>
  seconds.length === 0 ? 0 : Math.round(seconds.reduce((sum, kbps) => sum + kbps, 0) / seconds.length)

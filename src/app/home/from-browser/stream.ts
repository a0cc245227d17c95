// Stream of this page: encodes picture and sound, sends them, and follows the speed of the connection.
import { browserKinds } from '#contract/entities/browser-ingest.ts'
import { readFrames } from './frames.ts'
import { PictureEncoder, type Size } from './picture-encoder.ts'
import { bitrates, isFull, nextBitrate } from './rate.ts'
import { beginSound, type Sound, soundBitrates, type SoundPart } from './sound-encoder.ts'
import { TrackClock } from './track-clock.ts'
import { type Part, Uplink, type UplinkEnd, type UplinkOptions } from './uplink.ts'

/** `source`: the camera or the screen ended. `encoder`: the browser stopped to encode. */
export type StreamEnd = UplinkEnd | { readonly by: 'source' | 'encoder' }

/** State of a stream. `kbps`: sent in the last second. */
export type StreamState =
  | { readonly kind: 'connecting' | 'reconnecting' }
  | { readonly kind: 'live'; readonly kbps: number }
  | { readonly kind: 'over'; readonly end: StreamEnd }

export interface StreamOptions extends Pick<UplinkOptions, 'openTicket'> {
  readonly size: Size
  /** Element that shows the picture. */
  readonly video: HTMLVideoElement
  readonly picture: MediaStreamTrack
  /** Streams with sound; they are mixed. */
  readonly sounds: readonly MediaStream[]
  readonly onState: (state: StreamState) => void
}

const secondMs = 1_000

export class BrowserStream {
  readonly #options: StreamOptions
  readonly #uplink: Uplink
  readonly #encoder: PictureEncoder
  readonly #abort = new AbortController()
  readonly #startedAt = performance.now()
  readonly #timer: ReturnType<typeof setInterval>
  #sound: Promise<Sound | null> = Promise.resolve(null)
  #soundBitrate = 0
  #bitrate: number = bitrates.most
  #videoHeader: Uint8Array | null = null
  #soundHeader: Pick<SoundPart, 'kind' | 'payload'> | null = null
  /** The connection has a keyframe, from which frames can follow. */
  #hasKey = false
  #isLive = false
  #sent = 0

  constructor(options: StreamOptions) {
    this.#options = options
    this.#encoder = new PictureEncoder(options.size, {
      onFrame: (chunk, header) => this.#sendFrame(chunk, header),
      onFail: () => this.#finish({ by: 'encoder' }),
    })
    this.#uplink = new Uplink({
      openTicket: options.openTicket,
      onLive: () => this.#begin(),
      onKeyframe: () => this.#encoder.demandKey(),
      onBroken: () => {
        this.#isLive = false
        options.onState({ kind: 'reconnecting' })
      },
      onEnd: (end) => this.#finish(end),
    })
    this.#readPicture()
    if (options.sounds.length > 0) this.#readSound()
    this.#timer = setInterval(() => this.#watch(), secondMs)
    options.onState({ kind: 'connecting' })
  }

  /** Ends the stream. */
  stop(): void {
    clearInterval(this.#timer)
    this.#abort.abort()
    this.#uplink.close()
    this.#encoder.close()
    void this.#sound.then((sound) => sound?.close())
  }

  #readPicture(): void {
    const { picture, video } = this.#options
    const { signal } = this.#abort
    const clock = new TrackClock()
    picture.addEventListener('ended', () => this.#finish({ by: 'source' }), { signal })
    const take = (frame: VideoFrame, own: number) => {
      const time = clock.timeOf(own, this.#now())
      if (isFull(this.#backlog())) frame.close()
      else this.#encoder.encode(frame, time)
    }
    readFrames({ track: picture, video }, take, signal)
  }

  #readSound(): void {
    const clock = new TrackClock()
    this.#sound = beginSound(this.#options.sounds, {
      onHeader: (header) => {
        this.#soundHeader = header
        if (this.#isLive) this.#sendSoundHeader()
      },
      onPart: (part) => this.#soundHeader && this.#send(part),
      timeOf: (own) => clock.timeOf(own, this.#now()),
    })
    void this.#sound.then(
      (sound) => {
        this.#soundBitrate = sound ? soundBitrates[sound.kind] : 0
        if (this.#abort.signal.aborted) sound?.close()
      },
      () => this.#finish({ by: 'encoder' }),
    )
  }

  /** Time since the start, milliseconds. */
  #now(): number {
    return performance.now() - this.#startedAt
  }

  /** Seconds of media in the send queue. */
  #backlog(): number {
    return (this.#uplink.queued * 8) / (this.#bitrate + this.#soundBitrate)
  }

  /** Headers go first, and a keyframe: the connection is new to the server. */
  #begin(): void {
    this.#isLive = true
    this.#hasKey = false
    this.#sendSoundHeader()
    this.#sendVideoHeader()
    this.#encoder.demandKey()
    this.#sent = 0
    this.#options.onState({ kind: 'live', kbps: 0 })
  }

  #sendSoundHeader(): void {
    if (this.#soundHeader) this.#send({ ...this.#soundHeader, time: this.#now(), isHeader: true })
  }

  #sendVideoHeader(): void {
    if (this.#videoHeader)
      this.#send({ kind: browserKinds.video, time: this.#now(), isHeader: true, payload: this.#videoHeader })
  }

  #sendFrame(chunk: EncodedVideoChunk, header: Uint8Array | null): void {
    if (header && !isSame(header, this.#videoHeader)) {
      this.#videoHeader = header
      this.#sendVideoHeader()
    }
    const isKey = chunk.type === 'key'
    this.#hasKey ||= isKey && this.#isLive
    if (!this.#hasKey || !this.#videoHeader) return
    const payload = new Uint8Array(chunk.byteLength)
    chunk.copyTo(payload)
    this.#send({ kind: browserKinds.video, time: chunk.timestamp / 1000, isKey, payload })
  }

  #send(part: Part): void {
    if (!this.#isLive) return
    this.#sent += part.payload.length
    this.#uplink.send(part)
  }

  #watch(): void {
    if (!this.#isLive) return
    this.#options.onState({ kind: 'live', kbps: Math.round((this.#sent * 8) / secondMs) })
    this.#sent = 0
    this.#bitrate = nextBitrate(this.#bitrate, this.#backlog())
    this.#encoder.setBitrate(this.#bitrate)
  }

  #finish(end: StreamEnd): void {
    if (this.#abort.signal.aborted) return
    this.stop()
    this.#options.onState({ kind: 'over', end })
  }
}

const isSame = (one: Uint8Array, other: Uint8Array | null): boolean =>
  other !== null && one.length === other.length && one.every((byte, at) => byte === other[at])

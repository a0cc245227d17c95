// Mixes of tracks: the stream of channels that chose a picture or a sound other than the main one. A mix has a hub of its own; the
// main stream is not one of them.
import type { Slates } from '#contract/relay/desired-state.ts'
import type { TrackChoice } from '#contract/entities/tracks.ts'
import { encodeAmf } from '#server/relay/rtmp/amf0.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import type { SlateShelf } from './slates.ts'
import { Stage } from './stage.ts'
import { inspectAudio, inspectVideo } from '#server/relay/media/codecs.ts'
import { Hub } from '#server/relay/media/hub.ts'
import { SilentSound, silentHeader } from '#server/relay/media/silence.ts'
import { type Pictures, picturesOf } from '#server/relay/media/sps.ts'
import { trackKey, type TrackMessage } from '#server/relay/media/tracks.ts'

/** A track without a message for this time is missing, milliseconds. */
const missingMs = 10_000
/** Time in which an encoder announces its tracks, milliseconds. Afterwards the main track replaces a missing one, where chosen. */
const settleMs = 3_000
/** A picture after a longer gap needs a keyframe, milliseconds. */
const gapMs = 1_000

/** A track of the encoder. */
interface Track {
  readonly kind: 'audio' | 'video'
  readonly id: number
  readonly isMain: boolean
  /** Newest header; null before the first one. */
  header: Message | null
  codec: string
  /** Null for a header that cannot be read. */
  pictures: Pictures | null
  /** Arrival of the newest message, monotonic milliseconds. */
  lastAt: number
  /** Bytes since the last second, and the bitrate of some seconds, kbps. */
  bytes: number
  kbps: number
}

/** Tracks that a mix consists of. */
interface Pair {
  readonly video: Track
  /** Null: the encoder has no sound. */
  readonly audio: Track | 'silent' | null
}

interface MixOptions {
  readonly gatherMs: number
  readonly isPaused: boolean
  readonly slates: SlateShelf
  /** The mix has a keyframe. */
  readonly onReady: (mix: Mix) => void
  /** A track is missing, or the mix continues with another one. */
  readonly onGone: (mix: Mix) => void
}

/** The stream of one choice. */
export class Mix {
  readonly hub: Hub
  readonly #choice: TrackChoice
  readonly #options: MixOptions
  readonly #stage: Stage
  #silence = new SilentSound()
  #pair: Pair | null = null
  #isReady = false
  /** Its picture is missing while the encoder sends: something else is shown, and its sound waits with it. */
  #isStill = false
  /** Smaller picture in the place of the chosen one. */
  #rung: Track | null = null
  /** Picture that follows with its keyframe. */
  #next: Track | null = null
  /** The chosen picture. */
  #base: Track | null = null
  /** Time of the last picture of the encoder, milliseconds, 32 bits. */
  #pictureTime = 0

  constructor(choice: TrackChoice, options: MixOptions) {
    this.#choice = choice
    this.#options = options
    this.hub = new Hub(options.gatherMs)
    this.#stage = new Stage(this.hub, options.slates, choice.audio === 'silent')
    this.#stage.setPaused(options.isPaused)
  }

  /** True when destinations can begin. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Applies the tracks that the encoder has. @param ageMs time since the encoder began, milliseconds */
  resolve(tracks: Iterable<Track>, now: number, ageMs: number): void {
    let pair = pairOf(this.#choice, [...tracks], now, ageMs)
    // An encoder that has just begun announces its tracks one after another.
    if (!pair) return ageMs > missingMs ? this.#leave() : undefined
    this.#base = pair.video
    const chosen = pair.video
    const isThere = (track: Track | null) => track && (track === chosen || isRung(track, chosen, now))
    if (!isThere(this.#next)) this.#next = null
    if (!isThere(this.#rung)) this.#rung = null
    if (this.#rung) pair = { ...pair, video: this.#rung }
    const { video, audio } = this.#pair ?? {}
    if (pair.video === video && pair.audio === audio) return
    const isOther = this.#pair !== null && !isSame(this.#pair, pair)
    this.#pair = pair
    if (isOther) this.#leave(pair)
    this.#enter(pair)
  }

  /** True while it has a smaller picture than the chosen one. */
  get isLower(): boolean {
    return this.#rung !== null
  }

  /** Steps to the next smaller picture of the same size, or to the next larger one. It follows with its keyframe. */
  step(to: 'down' | 'up', tracks: Iterable<Track>, now: number): void {
    const [base, pair] = [this.#base, this.#pair]
    if (!base || !pair || !this.#isReady) return
    const rungs = [...tracks].filter((one) => one === base || isRung(one, base, now))
    this.#next = nextRung(rungs, this.#next ?? pair.video, to) ?? this.#next
  }

  take({ kind, message }: TrackMessage, track: Track, now: number): void {
    if (track === this.#next && kind === 'video' && inspectVideo(message.payload).role === 'key')
      return this.#cross(track, message)
    const { video, audio } = this.#pair ?? {}
    if (track !== video && track !== audio) return
    if (kind === 'video') {
      if (now - track.lastAt > gapMs) this.#stage.interrupt()
      this.#isStill = false
    }
    if (!this.#isStill) this.#push(message)
  }

  /** Replaces a picture that is missing while the encoder sends. @param track of the message that has arrived */
  checkPicture(track: Track, now: number): void {
    const { video } = this.#pair ?? {}
    if (!video || video === track || !this.#isReady || this.#isStill || now - video.lastAt <= gapMs) return
    this.#isStill = true
    this.#stage.lose(0)
    // A smaller picture that ends gives way to the chosen one.
    if (video === this.#rung) this.#next = this.#base
  }

  setPaused(isPaused: boolean): void {
    this.#stage.setPaused(isPaused)
    if (!this.#stage.isShowing) this.hub.forgetGroup()
  }

  /** Applies the pictures of the project. */
  setSlates(slates: Slates): void {
    this.#stage.setSlates(slates)
  }

  /** Call it each second. */
  watch(): void {
    this.#stage.watch()
  }

  /** Another encoder begins: its tracks are unknown. */
  begin(): void {
    this.#stage.begin()
    this.#pair = this.#base = this.#rung = this.#next = null
    this.#isStill = false
  }

  /** The encoder is lost. @param delayMs milliseconds until something else is shown; omitted: that of `Stage` */
  lose(delayMs?: number): void {
    if (this.#isReady) this.#stage.lose(delayMs)
    else this.#stage.interrupt()
  }

  stop(): void {
    this.#stage.rest()
  }

  #enter({ video, audio }: Pair): void {
    this.#stage.begin()
    this.#isStill = false
    this.#silence = new SilentSound()
    this.#push(metadataOf(video))
    const sound =
      audio === 'silent' ? { type: messageType.audio, streamId: 1, timestamp: 0, payload: silentHeader } : audio?.header
    for (const header of [video.header, sound]) if (header) this.#push(header)
  }

  /** Continues with another picture of the same encoder: behind its header, and later than the last picture of the other one. */
  #cross(track: Track, key: Message): void {
    const { pair, header } = { pair: this.#pair, header: track.header }
    if (!pair || !header) return
    this.#next = null
    this.#isStill = false
    this.#rung = track === this.#base ? null : track
    this.#pair = { ...pair, video: track }
    const isLater = ((key.timestamp - this.#pictureTime) | 0) > 0
    const timestamp = isLater ? key.timestamp : (this.#pictureTime + 1) % 2 ** 32
    this.#push({ ...header, timestamp })
    this.#push({ ...key, timestamp })
  }

  #leave(pair: Pair | null = null): void {
    this.#pair = pair
    this.#stage.rest()
    this.hub.forgetGroup()
    if (!this.#isReady) return
    this.#isReady = false
    this.#options.onGone(this)
  }

  #push(message: Message): void {
    // The wall clock, as everything else that is placed on the timeline of a hub.
    const now = Date.now()
    const taken = this.#stage.take(message, now)
    if (taken === 'waits' || taken === 'returns') return
    const isPicture = message.type === messageType.video && inspectVideo(message.payload).role !== 'header'
    if (isPicture) this.#pictureTime = message.timestamp
    if (this.#pair?.audio === 'silent' && isPicture) this.#stage.push(this.#silence.upTo(message.timestamp), now)
    if (this.#isReady || this.hub.group().length === 0) return
    this.#isReady = true
    this.#options.onReady(this)
  }
}

/** All mixes of a project on air. */
export class Mixes {
  readonly #options: MixOptions
  readonly #mixes = new Map<string, Mix>()
  readonly #tracks = new Map<number, Track>()
  #isPaused = false
  #slates: Slates = {}
  #isSending = false
  #beganAt = 0
  /** End of the last measured second, monotonic milliseconds. */
  #secondAt = performance.now()

  constructor(options: Omit<MixOptions, 'isPaused'>) {
    this.#options = { ...options, isPaused: false }
  }

  /** Returns the mix of a choice, and creates it. */
  of(choice: TrackChoice): Mix {
    return this.#mixFor(choice)
  }

  /**
   * Returns the mix of a channel that can take a smaller picture, and creates it. It has its own, because channels are slow by themselves.
   * @returns null while the encoder sends no further picture of the size
   */
  withLadder(id: number, choice: TrackChoice): Mix | null {
    const now = performance.now()
    const tracks = [...this.#tracks.values()]
    const base = pairOf(choice, tracks, now, now - this.#beganAt)?.video
    if (!base || !tracks.some((one) => isRung(one, base, now))) return null
    return this.#mixFor(choice, id)
  }

  /** Steps to a smaller picture, or to a larger one. */
  step(mix: Mix, to: 'down' | 'up'): void {
    mix.step(to, this.#tracks.values(), performance.now())
  }

  /** @param id channel that has the mix for itself */
  #mixFor(choice: TrackChoice, id?: number): Mix {
    const key = JSON.stringify([choice.video, choice.audio, choice.missing, id])
    const known = this.#mixes.get(key)
    if (known) return known
    const mix = new Mix(choice, { ...this.#options, isPaused: this.#isPaused })
    mix.setSlates(this.#slates)
    this.#mixes.set(key, mix)
    const now = performance.now()
    if (this.#isSending) mix.resolve(this.#tracks.values(), now, now - this.#beganAt)
    return mix
  }

  /** Ends the mixes that no destination uses. */
  keep(used: ReadonlySet<Mix>): void {
    for (const [key, mix] of this.#mixes)
      if (!used.has(mix)) {
        mix.stop()
        this.#mixes.delete(key)
      }
  }

  /** An encoder begins. */
  begin(): void {
    this.#tracks.clear()
    this.#isSending = true
    this.#beganAt = performance.now()
    for (const mix of this.#mixes.values()) mix.begin()
  }

  /** Another encoder takes over while this one sends, or has just stopped. @param headers of its tracks, which it sent before */
  replace(headers: readonly TrackMessage[]): void {
    // A further track enters with a keyframe of its own: until then its mixes show the last frame.
    if (this.#isSending) this.lose()
    this.begin()
    this.take(headers)
  }

  /** Handles the tracks of a message. */
  take(messages: readonly TrackMessage[]): void {
    // After a silence the tracks return one after another.
    if (!this.#isSending) this.#beganAt = performance.now()
    this.#isSending = true
    for (const one of messages) {
      if (one.kind === 'data' || one.message.payload.length === 0) continue
      const now = performance.now()
      const [track, isChanged] = this.#note(one, one.kind)
      track.bytes += one.message.payload.length
      if (this.#mixes.size === 0) {
        track.lastAt = now
        continue
      }
      for (const mix of this.#mixes.values()) {
        if (isChanged) mix.resolve(this.#tracks.values(), now, now - this.#beganAt)
        mix.checkPicture(track, now)
        mix.take(one, track, now)
      }
      track.lastAt = now
    }
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    for (const mix of this.#mixes.values()) mix.setPaused(isPaused)
  }

  setSlates(slates: Slates): void {
    this.#slates = slates
    for (const mix of this.#mixes.values()) mix.setSlates(slates)
  }

  /** The encoder is lost, with an open or a closed connection. */
  lose(delayMs?: number): void {
    this.#isSending = false
    for (const mix of this.#mixes.values()) mix.lose(delayMs)
  }

  /** Looks for missing tracks; call it each second. */
  watch(): void {
    for (const mix of this.#mixes.values()) mix.watch()
    const now = performance.now()
    const seconds = Math.max(0.001, (now - this.#secondAt) / 1000)
    this.#secondAt = now
    if (!this.#isSending) return
    for (const track of this.#tracks.values()) measure(track, seconds)
    for (const mix of this.#mixes.values()) mix.resolve(this.#tracks.values(), now, now - this.#beganAt)
  }

  stop(): void {
    for (const mix of this.#mixes.values()) mix.stop()
  }

  /** @returns the track, and whether it is new or has another header */
  #note({ id, isMain, message }: TrackMessage, kind: 'audio' | 'video'): readonly [Track, boolean] {
    const key = trackKey(kind, id)
    const known = this.#tracks.get(key)
    const { role, codec } = kind === 'video' ? inspectVideo(message.payload) : inspectAudio(message.payload)
    const isHeader = role === 'header'
    // Another codec in the same track is another track.
    const isNew = !known || (isHeader && known.header !== null && known.codec !== codec)
    const track: Track = isNew
      ? { kind, id, isMain, header: null, codec, pictures: null, lastAt: performance.now(), bytes: 0, kbps: 0 }
      : known
    if (isNew) this.#tracks.set(key, track)
    if (!isHeader || track.header?.payload.equals(message.payload)) return [track, isNew]
    track.header = message
    track.codec = codec
    track.pictures = kind === 'video' ? picturesOf(message.payload, codec) : null
    return [track, true]
  }
}

/** Returns the tracks for a choice; null while one is missing. */
function pairOf(
  { video, audio, missing }: TrackChoice,
  all: readonly Track[],
  now: number,
  ageMs: number,
): Pair | null {
  const present = all.filter(({ lastAt }) => now - lastAt < missingMs).toSorted((a, b) => a.id - b.id)
  const pictures = present.filter(({ kind, header }) => kind === 'video' && header !== null)
  const sounds = present.filter(({ kind }) => kind === 'audio')
  const mayReplace = missing === 'main' && ageMs > settleMs
  const main = (tracks: readonly Track[]) => tracks.find(({ isMain }) => isMain)
  const replaced = <T>(found: T | undefined, tracks: readonly Track[]) =>
    found ?? (mayReplace ? main(tracks) : undefined)
  const picture =
    video === 'main'
      ? main(pictures)
      : replaced(
          pictures.find((one) => hasShape(one, video)),
          pictures,
        )
  if (!picture) return null
  if (audio === 'silent') return { video: picture, audio }
  if (audio === 'main') return { video: picture, audio: main(sounds) ?? null }
  const sound = replaced(
    sounds.find(({ id }) => String(id) === audio),
    sounds,
  )
  return sound ? { video: picture, audio: sound } : null
}

function hasShape({ id, pictures }: Track, wanted: TrackChoice['video']): boolean {
  if (wanted !== 'landscape' && wanted !== 'portrait') return String(id) === wanted
  return pictures !== null && pictures.height > pictures.width === (wanted === 'portrait')
}

/** Share of the newest second in the bitrate of a track: groups of pictures have several seconds. */
const newestShare = 0.2
/** A picture with more than this share of the bitrate is no smaller one. */
const smallerShare = 0.9

function measure(track: Track, seconds: number): void {
  const kbps = (track.bytes * 8) / 1000 / seconds
  track.kbps = track.kbps === 0 ? kbps : track.kbps * (1 - newestShare) + kbps * newestShare
  track.bytes = 0
}

const isSameSize = (one: Track, other: Track): boolean =>
  one.pictures !== null && one.pictures.width === other.pictures?.width && one.pictures.height === other.pictures.height

/** Returns whether a track can stand in for another one: a picture of the same codec and size. */
function isRung(one: Track, base: Track, now: number): boolean {
  if (one === base || one.kind !== 'video' || !one.header || now - one.lastAt >= missingMs) return false
  return one.codec === base.codec && isSameSize(one, base)
}

/** Returns the next smaller or larger picture by the bitrate. */
function nextRung(rungs: readonly Track[], from: Track, to: 'down' | 'up'): Track | undefined {
  const sorted = rungs.toSorted((a, b) => a.kbps - b.kbps)
  return to === 'down'
    ? sorted.findLast(({ kbps }) => kbps > 0 && kbps < from.kbps * smallerShare)
    : sorted.find(({ kbps }) => from.kbps < kbps * smallerShare)
}

/** Returns whether a connection can continue with other tracks: the same picture, and the same sound if it has one. */
function isSame(before: Pair, after: Pair): boolean {
  const sizeOf = ({ video: { id, codec, pictures } }: Pair) => `${id} ${codec} ${pictures?.width} ${pictures?.height}`
  // Sound that begins later has its header then.
  return sizeOf(before) === sizeOf(after) && (before.audio === null || before.audio === after.audio)
}

/** Metadata of a mix, from the header of its picture: that of the encoder is about the main track. */
function metadataOf({ pictures, codec }: Track): Message {
  const { width = 0, height = 0, frameRate = 0 } = pictures ?? {}
  const size = width > 0 ? { width, height } : {}
  const about = {
    ...size,
    ...(frameRate > 0 && { framerate: frameRate }),
    videocodecid: codec === 'avc1' ? 7 : Buffer.from(codec.padEnd(4)).readUInt32BE(0),
  }
  const payload = encodeAmf('@setDataFrame', 'onMetaData', about)
  return { type: messageType.data, streamId: 1, timestamp: 0, payload }
}

// What is sent in the place of the encoder: frames in a loop (a picture of the project, or the last frame of the encoder, which is not
// decoded, so that it works with every video codec and needs no other program), or a film; with silence where that has no sound.
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { Film } from '#server/relay/library/film.ts'
import { FilmLoop } from '#server/relay/library/film-loop.ts'
import type { Hub, Receiver } from '#server/relay/media/hub.ts'
import type { Packet } from '#server/relay/media/packet.ts'
import { type Silence, silenceFor, type Sound, soundOf } from '#server/relay/media/silence.ts'

/** Two frames per second: platforms treat a stream with fewer as broken. */
const pictureMs = 500
const tickMs = 100
const usualRate = 30
/** After a longer stop of the thread the rest is left out, milliseconds. */
const catchUpMs = 5_000

/** Frames that repeat; the first one is a keyframe. */
export interface Loop {
  /** Video header of the frames; null: none is needed. */
  readonly header: Buffer | null
  readonly frames: readonly Buffer[]
  /** Distance of two frames, milliseconds. */
  readonly frameMs: number
}

/** Something that can be shown in the place of the encoder. A film starts at its beginning, and repeats. */
export type Slate = Loop | Film

/** A slate that is being sent. */
interface Playback {
  /** Returns the messages up to a time that were not taken before. @param untilMs from the beginning, as are the timestamps */
  take(untilMs: number): readonly Message[]
  readonly failed: boolean
  close(): void
}

export interface FillOptions {
  /** The stream has no sound of films: its sound is silence by choice. */
  readonly isSilent?: boolean
  /** The slate can no longer be sent, and was stopped. */
  readonly onFail?: () => void
}

export class Fill implements Receiver {
  readonly #hub: Hub
  readonly #options: FillOptions
  #header: Buffer | null = null
  /** The last keyframe and the frame after it: H.264 forbids the same keyframe twice in a row (7.4.3). */
  #pictures: Buffer[] = []
  #silence: Silence | null = null
  #sound: Sound | null = null
  #timer: NodeJS.Timeout | undefined
  #slate: Slate | null = null
  #playback: Playback | null = null

  constructor(hub: Hub, options: FillOptions = {}) {
    this.#hub = hub
    this.#options = options
    hub.attach(this)
  }

  /** The slate that is sent; null: none. */
  get slate(): Slate | null {
    return this.#slate
  }

  /** Sound of the encoder; null: none, or one that films cannot have. */
  get sound(): Sound | null {
    return this.#sound
  }

  take({ kind, role, payload }: Packet): void {
    if (this.#slate) return
    if (kind === 'audio' && role === 'header') {
      this.#silence = silenceFor(payload)
      this.#sound = soundOf(payload)
    }
    if (kind !== 'video') return
    if (role === 'key') this.#pictures = [payload]
    else if (role === 'frame' && this.#pictures.length === 1 && isPicture(payload)) this.#pictures.push(payload)
    else if (role === 'header' && !this.#header?.equals(payload)) {
      // Frames with other headers cannot be decoded.
      this.#header = payload
      this.#pictures = []
    }
  }

  /** Returns the last frame of the encoder as a loop. */
  frozen(): Loop {
    return { header: this.#header, frames: this.#pictures, frameMs: pictureMs }
  }

  /** Sends a slate until `stop`. */
  play(slate: Slate): void {
    this.stop()
    this.#slate = slate
    const isFilm = slate instanceof Film
    const hasSound = isFilm && !this.#options.isSilent && isSame(slate.sound, this.#sound)
    const silence = hasSound ? null : this.#silence
    const hasPictures = isFilm || slate.frames.length > 0
    if (!hasPictures && !silence) return
    const playback = isFilm ? new FilmLoop(slate) : new LoopPlayback(slate)
    this.#playback = playback
    const first = playback.take(0)
    // The first picture of a film may follow from the disk.
    this.#hub.cut(first.find(isVideo))
    const header = isFilm ? slate.video : slate.header
    const isOther = header !== null && !this.#hub.header('video')?.payload.equals(header)
    if (isOther && hasPictures) this.#hub.push([messageAt(messageType.video, 0, header)], Date.now())
    this.#send(playback, first, stepOf(slate), hasSound ? null : soundless(silence))
  }

  /** Media of an encoder enters the stream, nothing is to be sent, or the broadcast has ended. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#playback?.close()
    this.#slate = this.#playback = null
  }

  /** @param first messages of the beginning @param sounded replaces the sound; null: that of the slate stays */
  #send(playback: Playback, first: readonly Message[], stepMs: number, sounded: Sounded | null): void {
    let [position, last] = [0, performance.now()]
    const tick = (taken: readonly Message[]) => {
      this.#hub.push(sounded ? sounded(taken.filter(isVideo), position) : taken, Date.now())
      this.#timer = setTimeout(next, stepMs)
    }
    const next = () => {
      const now = performance.now()
      position += Math.min(catchUpMs, now - last)
      last = now
      const taken = playback.take(position)
      if (!playback.failed) return tick(taken)
      this.stop()
      this.#options.onFail?.()
    }
    tick(first)
  }
}

const isVideo = ({ type }: Message): boolean => type === messageType.video

/** Returns whether the sound of a film fits the header of a stream. */
const isSame = (one: Sound | null, other: Sound | null): boolean =>
  one !== null && one.sampleRate === other?.sampleRate && one.channels === other.channels

/** Time between two looks at a slate, milliseconds. */
function stepOf(slate: Slate): number {
  const frameMs = slate instanceof Film ? 1000 / (slate.pictures.frameRate || usualRate) : slate.frameMs
  return Math.min(tickMs, frameMs)
}

/** Frames that repeat, without sound. */
class LoopPlayback implements Playback {
  readonly failed = false
  readonly #loop: Loop
  #count = 0

  constructor(loop: Loop) {
    this.#loop = loop
  }

  take(untilMs: number): readonly Message[] {
    const { frames, frameMs } = this.#loop
    const messages: Message[] = []
    for (let at = this.#count * frameMs; frames.length > 0 && at <= untilMs; at = ++this.#count * frameMs) {
      const frame = frames[this.#count % frames.length]
      if (frame) messages.push(messageAt(messageType.video, at, frame))
    }
    return messages
  }

  close(): void {}
}

/** Adds sound to pictures. @param untilMs time of the newest sound */
type Sounded = (pictures: readonly Message[], untilMs: number) => readonly Message[]

/** Returns a function that adds silence between and behind pictures. @param silence null: the stream has no sound */
function soundless(silence: Silence | null): Sounded {
  if (!silence) return (pictures) => pictures
  let ms = 0
  function* upTo(untilMs: number): Generator<Message> {
    for (; silence && ms < untilMs; ms += silence.ms) yield messageAt(messageType.audio, ms, silence.payload)
  }
  return (pictures, untilMs) => [
    ...pictures.flatMap((picture) => [...upTo(picture.timestamp), picture]),
    ...upTo(untilMs),
  ]
}

const messageAt = (type: number, at: number, payload: Buffer): Message => ({
  type,
  streamId: 1,
  // Rounded down: no sound is ahead of a later picture.
  timestamp: Math.floor(at),
  payload,
})

/** Returns true when a message contains a frame; the end of a sequence does not. */
const isPicture = (payload: Buffer): boolean => {
  const isEnhanced = ((payload[0] ?? 0) & 0x80) !== 0
  const type = isEnhanced ? (payload[0] ?? 0) & 0x0f : (payload[1] ?? 0)
  return type === 1 || (isEnhanced && type === 3)
}

// Timeline of a play: the messages of one film after another become one stream, by the clock of the pictures.
import { compositionMs } from '#server/relay/media/codecs.ts'
import { soundFrameMs } from '#server/relay/media/silence.ts'
import { encodeAmf } from '#server/relay/rtmp/amf0.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import type { Film } from './film.ts'

/** Name of the encoder in events and metadata. */
export const playEncoder = 'scheduler'

/** A film is stretched by so much at most, so that it fills the time of its item; it then ends before it, or is cut. */
const stretchMax = 0.05
/** Times of films are whole milliseconds. */
const roundingMs = 1
/** Sound that is off by less has no gap and does not overlap, milliseconds. */
const soundRoundingMs = 2
/** Sound may be so far from its picture: viewers do not notice it, milliseconds. */
const soundShiftMax = 60
/** The stream begins behind its zero: the first keyframe may be older than the moment at which the play joins. */
const headMs = 60_000
/** Distance of two frames of a film without a frame rate, milliseconds. */
const usualFrameMs = 40
const wrap = 2 ** 32
/** Offset and bytes of the composition time in a message of H.264. */
const compositionAt = { offset: 2, bytes: 3 }

export class PlayTimeline {
  /** Time on the clock of the play that is 0 of the stream, milliseconds; null before the first film. */
  #zero: number | null = null
  #film: Film | null = null
  /** The headers of the film are sent. */
  #isOpen = false
  #beginsAt = 0
  #endsAt = 0
  #stretch = 1
  /** Composition of the first frame of the stream, and how far the film is moved to begin with the same one. */
  #composition: number | null = null
  #shift = 0
  #headers: { readonly video: Buffer; readonly audio: Buffer | null } | null = null
  /** Newest decoding, and latest presentation of a picture. */
  #videoAt = Number.NEGATIVE_INFINITY
  #presentedAt = Number.NEGATIVE_INFINITY
  /** Distance of the sound from its own time, so that it stays with stretched pictures. */
  #soundShift = 0
  #soundEndsAt = Number.NEGATIVE_INFINITY

  /**
   * The next messages are of this film.
   * @param beginsAt beginning of the film, milliseconds on a clock that never goes back
   * @param ms time of the item, milliseconds
   */
  begin(film: Film, beginsAt: number, ms: number): void {
    const stretch = ms / lengthOf(film)
    this.#zero ??= beginsAt - headMs
    this.#stretch = Math.abs(stretch - 1) <= stretchMax ? stretch : 1
    this.#film = film
    this.#isOpen = false
    this.#soundShift = 0
    this.#beginsAt = beginsAt - this.#zero
    this.#endsAt = this.#beginsAt + ms
  }

  /** Returns the time of the film that a time of its item stands for, milliseconds. */
  filmTime(ms: number): number {
    return ms / this.#stretch
  }

  /** Returns a message of the film with its time, behind the headers that it needs; nothing for what overlaps. */
  place(message: Message): readonly Message[] {
    const film = this.#film
    if (!film) return []
    if (!this.#isOpen && message.type !== messageType.video) return []
    if (!this.#isOpen) this.#join(film, message)
    const placed = message.type === messageType.video ? this.#picture(film, message) : this.#sound(film, message)
    if (!placed) return []
    const headers = this.#isOpen ? [] : this.#headersOf(film)
    this.#isOpen = true
    return [...headers.map((header) => ({ ...header, timestamp: placed.timestamp })), placed]
  }

  /** Finds the time of the first keyframe of a film. */
  #join(film: Film, first: Message): void {
    const composition = compositionMs(first)
    this.#composition ??= composition
    this.#shift = this.#composition - composition
    // A play that joins again begins with a keyframe that is older than the last frame.
    const behind = this.#presentedAt + frameMsOf(film) - this.#timeOf(film, first) - composition
    if (behind < frameMsOf(film) / 2) return
    this.#beginsAt += behind
    this.#endsAt += behind
    this.#zero = (this.#zero ?? 0) - behind
  }

  /** Returns the headers of a film if they differ from the ones before. */
  #headersOf(film: Film): Message[] {
    const { video, audio } = film
    const isSame = this.#headers?.video.equals(video) && (this.#headers.audio ?? none).equals(audio ?? none)
    this.#headers = { video, audio }
    return isSame ? [] : headersOf(film)
  }

  #timeOf(film: Film, { timestamp }: Message): number {
    return Math.round(this.#beginsAt + exact(film, timestamp) * this.#stretch + this.#shift)
  }

  #picture(film: Film, message: Message): Message | null {
    const wanted = this.#timeOf(film, message)
    if (wanted - this.#shift >= this.#endsAt) return null
    const time = Math.max(wanted, this.#videoAt + 1)
    this.#videoAt = time
    this.#presentedAt = Math.max(this.#presentedAt, wanted + compositionMs(message))
    // Presented when it is due, although it is decoded later.
    const payload = time === wanted ? message.payload : composed(message, compositionMs(message) - (time - wanted))
    return { ...message, timestamp: time % wrap, payload }
  }

  /** Sound is not stretched, and continuous: what overlaps is left out. */
  #sound({ sound }: Film, message: Message): Message | null {
    const [natural, stretched] = [message.timestamp + this.#soundShift, message.timestamp * this.#stretch]
    if (Math.abs(natural - stretched) > soundShiftMax) this.#soundShift += stretched - natural
    const wanted = this.#beginsAt + message.timestamp + this.#soundShift + this.#shift
    const left = wanted - this.#soundEndsAt
    if (left < -soundRoundingMs || wanted - this.#shift >= this.#endsAt + (this.#composition ?? 0)) return null
    const time = left <= soundRoundingMs ? this.#soundEndsAt : wanted
    this.#soundEndsAt = time + (sound ? soundFrameMs(sound) : 0)
    return { ...message, timestamp: Math.round(time) % wrap }
  }
}

const none = Buffer.alloc(0)

const frameMsOf = ({ pictures: { frameRate } }: Film): number => (frameRate > 0 ? 1000 / frameRate : usualFrameMs)

/** Returns the time of a picture before it was rounded, milliseconds; others as they are. */
function exact(film: Film, ms: number): number {
  const frameMs = frameMsOf(film)
  const time = Math.round(ms / frameMs) * frameMs
  return Math.abs(time - ms) <= roundingMs ? time : ms
}

const lengthOf = (film: Film): number => exact(film, film.durationMs)

function composed({ payload }: Message, ms: number): Buffer {
  const copy = Buffer.from(payload)
  copy.writeIntBE(Math.max(0, ms), compositionAt.offset, compositionAt.bytes)
  return copy
}

/** Metadata, and the headers of both tracks. */
function headersOf({ video, audio, pictures: { width, height, frameRate } }: Film): Message[] {
  const about = { width, height, framerate: frameRate, videocodecid: 7, audiocodecid: 10, encoder: playEncoder }
  const metadata = encodeAmf('@setDataFrame', 'onMetaData', about)
  const message = (type: number, payload: Buffer): Message => ({ type, streamId: 1, timestamp: 0, payload })
  return [
    message(messageType.data, metadata),
    message(messageType.video, video),
    ...(audio ? [message(messageType.audio, audio)] : []),
  ]
}

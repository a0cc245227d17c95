// A film: H.264 and AAC on the disk of the node, as FLV with an index behind it. One file, so that a killed process leaves none without the other.
import { type FileHandle, open } from 'node:fs/promises'
import * as z from 'zod/mini'
import { inspectAudio, inspectVideo } from '#server/relay/media/codecs.ts'
import { flvHeader, writeTag } from '#server/relay/media/flv.ts'
import { type Sound, soundOf } from '#server/relay/media/silence.ts'
import { type Pictures, picturesOf } from '#server/relay/media/sps.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'

/** Last bytes of the file: the length of the index, and a mark. */
const mark = Buffer.from('RDFILM1\n')
const tailBytes = 4 + mark.length
/** Largest index, bytes: hours of keyframes. */
const indexBytesMax = 4 * 1024 * 1024
/** Beginning that stays in memory, so that a film starts and repeats without a wait for the disk, bytes. */
const headBytes = 512 * 1024
/** Largest message, bytes. */
const messageBytesMax = 8 * 1024 * 1024
/** Distance of the keyframes in the index, milliseconds. */
const keyStepMs = 500

const count = z.int().check(z.nonnegative())
const Index = z.object({
  video: z.string(),
  audio: z.nullable(z.string()),
  durationMs: z.int().check(z.positive()),
  bytes: count,
  keys: z.array(z.tuple([count, count])).check(z.minLength(1)),
})

/** A keyframe: its time, milliseconds, and the offset of its tag. */
export type FilmKey = readonly [ms: number, offset: number]

/** A film that can be played. */
export class Film {
  /** Payload of the video header tag. */
  readonly video: Buffer
  /** Payload of the audio header tag; null: a film without sound. */
  readonly audio: Buffer | null
  /** Size and rate of the pictures. */
  readonly pictures: Pictures
  /** Null without sound. */
  readonly sound: Sound | null
  /** From the first picture to the end of the last one, whole milliseconds. */
  readonly durationMs: number
  readonly path: string
  /** Bytes before the index. */
  readonly bytes: number
  readonly keys: readonly FilmKey[]
  /** First bytes of the file. */
  readonly head: Buffer
  /** A reader failed: the file is gone or damaged. The shelf makes the film anew. */
  isBroken = false

  constructor(path: string, index: z.output<typeof Index>, head: Buffer) {
    this.path = path
    this.video = Buffer.from(index.video, 'base64')
    this.audio = index.audio === null ? null : Buffer.from(index.audio, 'base64')
    this.pictures = picturesOf(this.video, 'avc1') ?? { width: 0, height: 0, frameRate: 0 }
    this.sound = this.audio && soundOf(this.audio)
    this.durationMs = index.durationMs
    this.bytes = index.bytes
    this.keys = index.keys
    this.head = head
  }
}

/** Opens the film of a file. @returns null for a missing file, and for one that is no complete film */
export async function openFilm(path: string): Promise<Film | null> {
  const handle = await open(path).catch(() => null)
  if (!handle) return null
  try {
    const { size } = await handle.stat()
    const tail = await readAt(handle, size - tailBytes, tailBytes)
    const length = tail?.subarray(4).equals(mark) ? tail.readUInt32BE(0) : indexBytesMax + 1
    const text = length > indexBytesMax ? null : await readAt(handle, size - tailBytes - length, length)
    const index = text && Index.safeParse(JSON.parse(text.toString()))
    if (!index?.success || index.data.bytes + length + tailBytes !== size) return null
    const head = await readAt(handle, 0, Math.min(headBytes, index.data.bytes))
    return head && new Film(path, index.data, head)
  } catch {
    return null
  } finally {
    await handle.close().catch(() => undefined)
  }
}

/** @returns null if the file has fewer bytes */
async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer | null> {
  if (at < 0) return null
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, at)
  return bytesRead === length ? buffer : null
}

/** Collects the messages of a new film: their tags, with times from the first picture, and the index. */
export class FilmWriter {
  #video: Buffer | null = null
  #audio: Buffer | null = null
  #hasSound = false
  /** Timestamp of the first picture; null before it. */
  #beginsAt: number | null = null
  #pictures = 0
  #lastMs = 0
  readonly #keys: FilmKey[] = []
  #pieces: Buffer[] = []
  #bytes = 0

  /** Bytes so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** @returns the bytes to append @throws Error for other codecs, and for media that is no film */
  add(messages: readonly Message[]): Buffer {
    this.#pieces = []
    for (const message of messages) this.#take(message)
    return Buffer.concat(this.#pieces)
  }

  /** @returns the index, to append at the end @throws Error if the messages are no film */
  end(): Buffer {
    if (!this.#video || this.#pictures === 0) throw new Error('The film has no picture')
    if (this.#hasSound && (this.#audio === null || soundOf(this.#audio) === null))
      throw new Error('The sound is not AAC-LC with one or two channels')
    // A film of one picture stands for a second.
    const step = this.#pictures > 1 ? this.#lastMs / (this.#pictures - 1) : 1000
    const index: z.output<typeof Index> = {
      video: this.#video.toString('base64'),
      audio: this.#hasSound && this.#audio ? this.#audio.toString('base64') : null,
      durationMs: Math.round(this.#lastMs + step),
      bytes: this.#bytes,
      keys: this.#keys.map(([ms, offset]) => [ms, offset]),
    }
    const text = Buffer.from(JSON.stringify(index))
    if (text.length > indexBytesMax) throw new Error('The film is too long')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(text.length)
    return Buffer.concat([text, length, mark])
  }

  #take({ type, timestamp, payload }: Message): void {
    if (type === messageType.data || payload.length === 0) return
    if (payload.length > messageBytesMax) throw new Error('A frame is too large')
    const isVideo = type === messageType.video
    const { role, codec } = isVideo ? inspectVideo(payload) : inspectAudio(payload)
    if (codec !== (isVideo ? 'avc1' : 'aac ')) throw new Error('The codecs are not H.264 and AAC')
    if (role === 'header') return this.#keep(isVideo, payload)
    // The end of a sequence contains no frame.
    if (isVideo && payload[1] !== 1) return
    if (this.#beginsAt === null) {
      if (role !== 'key') return
      this.#begin(timestamp)
    }
    const ms = timestamp - (this.#beginsAt ?? 0)
    if (ms < 0 || (isVideo && ms < this.#lastMs)) return
    if (isVideo) this.#note(ms, role === 'key')
    else this.#hasSound = true
    this.#append(writeTag({ type, timestamp: ms, payload }))
  }

  #keep(isVideo: boolean, payload: Buffer): void {
    if (!isVideo) {
      this.#audio ??= payload
      return
    }
    if (this.#video && !this.#video.equals(payload)) throw new Error('The pictures change')
    this.#video = payload
  }

  #begin(timestamp: number): void {
    this.#beginsAt = timestamp
    this.#append(flvHeader({ audio: this.#audio !== null, video: true }))
    const headers = [
      { type: messageType.video, payload: this.#video },
      { type: messageType.audio, payload: this.#audio },
    ]
    for (const { type, payload } of headers) if (payload) this.#append(writeTag({ type, timestamp: 0, payload }))
  }

  #note(ms: number, isKey: boolean): void {
    const last = this.#keys.at(-1)
    if (isKey && (!last || ms - last[0] >= keyStepMs)) this.#keys.push([ms, this.#bytes])
    this.#pictures++
    this.#lastMs = ms
  }

  #append(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#bytes += piece.length
  }
}

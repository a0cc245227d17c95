// One media message of a stream, with what every receiver needs to know about it, serialised once for all of them.
import { chunkBytes } from '#server/relay/rtmp/connection.ts'
import { chunksLength, type Message, putChunks, writeChunks } from '#server/relay/rtmp/chunks.ts'
import { chunkStream, messageType } from '#server/relay/rtmp/messages.ts'
import { inspectAudio, inspectVideo } from './codecs.ts'
import { writeTag } from './flv.ts'

/** `header`: what a decoder must have first. `key`: where a decoder can begin. */
export type PacketRole = 'header' | 'key' | 'frame'

const kinds = { [messageType.audio]: 'audio', [messageType.video]: 'video', [messageType.data]: 'data' } as const
/** `data`: metadata and cue points. */
export type PacketKind = (typeof kinds)[keyof typeof kinds]

export class Packet {
  readonly kind: PacketKind
  readonly role: PacketRole
  /** Codec by its FourCC, `aac ` and `avc1` for those that RTMP numbers; empty when it is not said here. */
  readonly codec: string
  /** Milliseconds on the stream's own timeline. */
  readonly timestamp: number
  readonly payload: Buffer
  /** RTMP message type: 8, 9 or 18. */
  readonly type: keyof typeof kinds
  #chunks: Buffer | undefined
  #tag: Buffer | undefined

  /** @param type RTMP message type: 8, 9 or 18 */
  constructor(type: keyof typeof kinds, timestamp: number, payload: Buffer) {
    this.type = type
    this.kind = kinds[type]
    this.timestamp = timestamp
    this.payload = payload
    const { role, codec } = inspect(this.kind, payload)
    this.role = role
    this.codec = codec
  }

  /** As RTMP chunks on message stream 1, kept for whoever asks next. */
  chunks(): Buffer {
    return (this.#chunks ??= writeChunks(this.#message(), chunkStream[this.kind], chunkBytes))
  }

  /** How many bytes its chunks are. */
  chunksLength(): number {
    return chunksLength(this.#message(), chunkBytes)
  }

  /** Writes its chunks into bytes that have room for them. @returns where they end */
  putChunks(bytes: Buffer, at: number): number {
    return putChunks(bytes, at, this.#message(), chunkStream[this.kind], chunkBytes)
  }

  #message(): Message {
    return { type: this.type, streamId: 1, timestamp: this.timestamp, payload: this.payload }
  }

  /** The same at another time. @param timestamp milliseconds, 32 bits */
  at(timestamp: number): Packet {
    return timestamp === this.timestamp ? this : new Packet(this.type, timestamp, this.payload)
  }

  /** Whether this is what describes the whole stream: size, rate, codecs. */
  isMetadata(): boolean {
    return this.kind === 'data' && this.payload.includes('onMetaData')
  }

  /** As an FLV tag. */
  tag(): Buffer {
    return (this.#tag ??= this.tagAt(this.timestamp))
  }

  /** As an FLV tag of another time, for files that begin at 0. @param timestamp milliseconds, 32 bits */
  tagAt(timestamp: number): Buffer {
    return writeTag({ type: this.type, timestamp, payload: this.payload })
  }
}

function inspect(kind: PacketKind, payload: Buffer) {
  if (kind === 'video') return inspectVideo(payload)
  if (kind === 'audio') return inspectAudio(payload)
  return { role: 'frame' as const, codec: '' }
}

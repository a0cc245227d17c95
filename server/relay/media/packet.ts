// Media packet: a message with its role and codec, serialised once for all receivers.
import { chunkStream, type Message, messageType } from '#server/relay/rtmp/message.ts'
import { chunkBytes } from '#server/relay/rtmp/connection.ts'
import { chunksLength, putChunks, writeChunks } from '#server/relay/rtmp/chunks.ts'
import { inspectAudio, inspectVideo, type PacketRole } from './codecs.ts'
import { writeTag } from './flv.ts'

const kinds = { [messageType.audio]: 'audio', [messageType.video]: 'video', [messageType.data]: 'data' } as const
/** `data`: metadata and cue points. */
export type PacketKind = (typeof kinds)[keyof typeof kinds]

/** Returns whether messages of a type carry media or metadata. */
export const isMedia = (type: number): type is keyof typeof kinds => type in kinds

export class Packet {
  readonly kind: PacketKind
  readonly role: PacketRole
  /** FourCC of the codec; `aac ` and `avc1` for those with an RTMP number. Empty if the message does not contain it. */
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

  /** RTMP chunks on message stream 1, cached. */
  chunks(): Buffer {
    return (this.#chunks ??= writeChunks(this.#message(), chunkStream[this.kind], chunkBytes))
  }

  /** Length of its chunks, bytes. */
  chunksLength(): number {
    return chunksLength(this.#message(), chunkBytes)
  }

  /** Writes its chunks at an offset. @returns the offset of their end */
  putChunks(bytes: Buffer, at: number): number {
    return putChunks(bytes, at, this.#message(), chunkStream[this.kind], chunkBytes)
  }

  #message(): Message {
    return { type: this.type, streamId: 1, timestamp: this.timestamp, payload: this.payload }
  }

  /** Returns the packet with another timestamp. @param timestamp milliseconds, 32 bits */
  at(timestamp: number): Packet {
    return timestamp === this.timestamp ? this : new Packet(this.type, timestamp, this.payload)
  }

  /** Returns the packet with another payload. */
  with(payload: Buffer): Packet {
    return new Packet(this.type, this.timestamp, payload)
  }

  /** True for the metadata of the stream: size, frame rate, codecs. */
  isMetadata(): boolean {
    return this.kind === 'data' && this.payload.includes('onMetaData')
  }

  /** FLV tag, cached. */
  tag(): Buffer {
    return (this.#tag ??= this.tagAt(this.timestamp))
  }

  /** FLV tag with another timestamp, for files that begin at 0. @param timestamp milliseconds, 32 bits */
  tagAt(timestamp: number): Buffer {
    return writeTag({ type: this.type, timestamp, payload: this.payload })
  }
}

function inspect(kind: PacketKind, payload: Buffer) {
  if (kind === 'video') return inspectVideo(payload)
  if (kind === 'audio') return inspectAudio(payload)
  return { role: 'frame' as const, codec: '' }
}

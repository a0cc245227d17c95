// RTMP chunk stream: messages split into chunks, which may be interleaved (Adobe RTMP 1.0, section 5.3).
import { type Message, messageType } from './message.ts'
import { ProtocolError } from './protocol-error.ts'

/** Limits of buffered data. */
export interface ChunkLimits {
  /** Bytes of one message. */
  messageBytes: number
  /** Chunk streams in use. */
  streams: number
}

/** First timestamp that needs the extended timestamp field of four bytes. */
const extended = 0xffffff
const chunkSizeMax = 16 * 1024 * 1024
/** Total size of incomplete messages. */
const pendingBytesMax = 16 * 1024 * 1024
/** Header lengths by chunk type (`fmt`). */
const headerBytes = [11, 7, 3, 0] as const

interface Stream {
  timestamp: number
  delta: number
  /** Extended timestamp of the last header, or null. */
  behind: number | null
  length: number
  type: number
  streamId: number
  /** Incomplete message; null between messages. */
  payload: Buffer | null
  filled: number
}

/** Assembles messages from a byte stream. */
export class ChunkReader {
  readonly limits: ChunkLimits
  #chunkSize = 128
  readonly #streams = new Map<number, Stream>()
  /** Bytes of an incomplete header. */
  #rest: Buffer = Buffer.alloc(0)
  /** Chunk whose payload is incomplete. */
  #open: Stream | null = null
  #openLeft = 0
  #pendingBytes = 0

  constructor(limits: ChunkLimits) {
    this.limits = limits
  }

  /**
   * Parses the next bytes.
   * @returns the complete messages; applies Set Chunk Size and Abort at their position and does not return them
   * @throws ProtocolError above a limit, or when a stream begins without a full header
   */
  read(bytes: Buffer): Message[] {
    const input = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const messages: Message[] = []
    let at = 0
    while (at < input.length) {
      if (this.#open) {
        at += this.#fill(this.#open, input, at, messages)
      } else {
        const length = this.#header(input, at)
        if (length === 0) break
        at += length
      }
    }
    this.#rest = at === input.length ? Buffer.alloc(0) : Buffer.from(input.subarray(at))
    return messages
  }

  /** Copies payload into its message. @returns number of copied bytes */
  #fill(stream: Stream, input: Buffer, at: number, messages: Message[]): number {
    const taken = Math.min(this.#openLeft, input.length - at)
    stream.payload ??= this.#reserve(stream.length)
    input.copy(stream.payload, stream.filled, at, at + taken)
    stream.filled += taken
    this.#openLeft -= taken
    if (this.#openLeft === 0) this.#close(stream, messages)
    return taken
  }

  /** Completes a chunk, and its message if it is complete. */
  #close(stream: Stream, messages: Message[]): void {
    this.#open = null
    if (stream.filled < stream.length) return
    const payload = this.#release(stream)
    const { type, streamId, timestamp } = stream
    if (type === messageType.setChunkSize) this.#setChunkSize(payload)
    else if (type === messageType.abort) this.#abort(payload)
    else messages.push({ type, streamId, timestamp, payload })
  }

  #reserve(length: number): Buffer {
    this.#pendingBytes += length
    if (this.#pendingBytes > pendingBytesMax) throw new ProtocolError('Too many messages begun')
    return Buffer.allocUnsafe(length)
  }

  #release(stream: Stream): Buffer {
    const payload = stream.payload ?? Buffer.alloc(0)
    this.#pendingBytes -= payload.length
    stream.payload = null
    stream.filled = 0
    return payload
  }

  #setChunkSize(payload: Buffer): void {
    const size = payload.length < 4 ? 0 : payload.readUInt32BE(0)
    if (size < 1 || size > chunkSizeMax) throw new ProtocolError('Chunk size out of range')
    this.#chunkSize = size
  }

  #abort(payload: Buffer): void {
    const stream = payload.length < 4 ? undefined : this.#streams.get(payload.readUInt32BE(0))
    if (stream) this.#release(stream)
  }

  /** Reads a chunk header. @returns its length; 0 when it is incomplete */
  #header(input: Buffer, at: number): number {
    const left = input.length - at
    const format = input.readUInt8(at) >> 6
    const basic = basicBytes(input.readUInt8(at))
    const fixed = basic + (headerBytes[format] ?? 0)
    if (left < fixed) return 0

    const stream = this.#streamOf(idOf(input, at, basic), format)
    const field = format < 3 ? input.readUIntBE(at + basic, 3) : null
    const behind = field === null ? stream.behind !== null : field === extended
    if (behind && left < fixed + 4) return 0
    const said = behind ? input.readUInt32BE(at + fixed) : null
    // OBS before 30.1 omits it in continuation chunks: then these four bytes are payload.
    const omitted = format === 3 && said !== stream.behind
    if (field !== null) stream.behind = said

    this.#describe(stream, format, input.subarray(at + basic, at + fixed))
    if (stream.payload === null) setTime(stream, format, field === null ? null : (said ?? field))
    this.#openLeft = Math.min(this.#chunkSize, stream.length - stream.filled)
    // A message without payload has no content.
    this.#open = this.#openLeft === 0 ? null : stream
    return fixed + (behind && !omitted ? 4 : 0)
  }

  /** Applies the fields of a header except the time. */
  #describe(stream: Stream, format: number, header: Buffer): void {
    if (format < 3 && stream.payload !== null) throw new ProtocolError('A message began inside another one')
    if (format < 2) {
      stream.length = header.readUIntBE(3, 3)
      stream.type = header.readUInt8(6)
      if (stream.length > this.limits.messageBytes) throw new ProtocolError('Message too large')
    }
    if (format === 0) stream.streamId = header.readUInt32LE(7)
  }

  #streamOf(id: number, format: number): Stream {
    const known = this.#streams.get(id)
    if (known) return known
    // RTMP requires a full header first; some encoders begin with a delta, which then counts from zero.
    if (format > 1) throw new ProtocolError('A chunk stream began without a header')
    if (this.#streams.size >= this.limits.streams) throw new ProtocolError('Too many chunk streams')
    const stream: Stream = {
      timestamp: 0,
      delta: 0,
      behind: null,
      length: 0,
      type: 0,
      streamId: 0,
      payload: null,
      filled: 0,
    }
    this.#streams.set(id, stream)
    return stream
  }
}

/** Length of the basic header, which contains the chunk stream id. */
const basicBytes = (first: number): number => {
  const short = first & 0x3f
  return short > 1 ? 1 : short + 2
}

const idOf = (input: Buffer, at: number, basic: number): number => {
  if (basic === 1) return input.readUInt8(at) & 0x3f
  return 64 + (basic === 2 ? input.readUInt8(at + 1) : input.readUInt16LE(at + 1))
}

/** Timestamp of a new message. Without a header field the last delta is repeated. */
function setTime(stream: Stream, format: number, field: number | null): void {
  if (format === 0) {
    stream.timestamp = field ?? 0
    stream.delta = 0
    return
  }
  if (field !== null) stream.delta = field
  stream.timestamp = (stream.timestamp + stream.delta) >>> 0
}

/**
 * Writes a message as chunks with a full header, so that the bytes are valid on every connection.
 * @param chunkStream 2 control, 3 commands, 4 audio, 5 data, 6 video; below 64
 */
export function writeChunks(message: Message, chunkStream: number, chunkSize: number): Buffer {
  const bytes = Buffer.allocUnsafe(chunksLength(message, chunkSize))
  putChunks(bytes, 0, message, chunkStream, chunkSize)
  return bytes
}

/** Returns the length of a message in chunks, bytes. */
export function chunksLength({ payload, timestamp }: Message, chunkSize: number): number {
  const behind = timestamp >= extended ? 4 : 0
  const chunks = Math.max(1, Math.ceil(payload.length / chunkSize))
  return 12 + behind + payload.length + (chunks - 1) * (1 + behind)
}

/** Writes a message as chunks into a buffer. @returns the offset of their end */
export function putChunks(
  bytes: Buffer,
  from: number,
  message: Message,
  chunkStream: number,
  chunkSize: number,
): number {
  const { payload, timestamp } = message
  const behind = timestamp >= extended ? 4 : 0
  bytes[from] = chunkStream
  bytes.writeUIntBE(behind ? extended : timestamp, from + 1, 3)
  bytes.writeUIntBE(payload.length, from + 4, 3)
  bytes[from + 7] = message.type
  bytes.writeUInt32LE(message.streamId, from + 8)
  let at = from + 12
  if (behind) at = bytes.writeUInt32BE(timestamp >>> 0, at)
  for (let sent = 0; sent < payload.length; sent += chunkSize) {
    if (sent > 0) {
      bytes[at++] = 0xc0 | chunkStream
      if (behind) at = bytes.writeUInt32BE(timestamp >>> 0, at)
    }
    at += payload.copy(bytes, at, sent, sent + chunkSize)
  }
  return at
}

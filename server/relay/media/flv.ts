// FLV tags: writer and parser (Adobe, "Video File Format Specification" 10.1, annex E).
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { encodeAmf } from '#server/relay/rtmp/amf0.ts'
import { ProtocolError } from '#server/relay/rtmp/protocol-error.ts'

/** Signature, version, tracks and the length of the header; the size of the previous tag follows. */
const headerBytes = 9
const sizeBytes = 4
const tagHeadBytes = 11
const tagTypes: ReadonlySet<number> = new Set([messageType.audio, messageType.video, messageType.data])

/** Header of a file. Players wait for every track that it announces. */
export function flvHeader(tracks: { readonly audio: boolean; readonly video: boolean }): Buffer {
  const flags = (tracks.audio ? 4 : 0) | (tracks.video ? 1 : 0)
  return Buffer.from([...Buffer.from('FLV'), 1, flags, 0, 0, 0, headerBytes, 0, 0, 0, 0])
}

/** Encoders put `@setDataFrame` before metadata, for servers; files do not contain it. */
const setDataFrame = encodeAmf('@setDataFrame')
const withoutSetDataFrame = (payload: Buffer): Buffer =>
  payload.subarray(0, setDataFrame.length).equals(setDataFrame) ? payload.subarray(setDataFrame.length) : payload

/** Writes a tag and its size. @param timestamp milliseconds, 32 bits */
export function writeTag({ type, timestamp, payload: whole }: Pick<Message, 'type' | 'timestamp' | 'payload'>): Buffer {
  const payload = withoutSetDataFrame(whole)
  const bytes = Buffer.allocUnsafe(tagHeadBytes + payload.length + sizeBytes)
  bytes[0] = type
  bytes.writeUIntBE(payload.length, 1, 3)
  bytes.writeUIntBE(timestamp & 0xffffff, 4, 3)
  bytes[7] = timestamp >>> 24
  bytes.writeUIntBE(0, 8, 3)
  payload.copy(bytes, tagHeadBytes)
  bytes.writeUInt32BE(tagHeadBytes + payload.length, tagHeadBytes + payload.length)
  return bytes
}

/** Parses tags from a byte stream. */
export class FlvReader {
  #rest: Buffer = Buffer.alloc(0)
  #hasBegun = false

  /**
   * Parses the next bytes.
   * @returns the complete messages; an incomplete tag stays buffered
   * @throws ProtocolError if the data is not FLV
   */
  read(bytes: Buffer): Message[] {
    const input = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const messages: Message[] = []
    let at = this.#hasBegun ? 0 : this.#begin(input)
    while (this.#hasBegun) {
      const head = input.length - at < tagHeadBytes ? null : input.subarray(at, at + tagHeadBytes)
      const end = head ? at + tagHeadBytes + head.readUIntBE(1, 3) : Number.POSITIVE_INFINITY
      if (!head || input.length < end + sizeBytes) break
      const type = head[0] ?? 0
      if (input.readUInt32BE(end) !== end - at)
        throw new ProtocolError('The size of an FLV tag does not match its header')
      const timestamp = ((head[7] ?? 0) * 2 ** 24 + head.readUIntBE(4, 3)) >>> 0
      const payload = input.subarray(at + tagHeadBytes, end)
      if (tagTypes.has(type)) messages.push({ type, streamId: 1, timestamp, payload })
      at = end + sizeBytes
    }
    this.#rest = input.subarray(at)
    return messages
  }

  /** @returns the offset of the first tag; 0 while the header is incomplete */
  #begin(input: Buffer): number {
    const signature = input.subarray(0, 3)
    if (!Buffer.from('FLV').subarray(0, signature.length).equals(signature))
      throw new ProtocolError('The data is not FLV')
    if (input.length < headerBytes) return 0
    const first = input.readUInt32BE(5) + sizeBytes
    if (first > headerBytes * 10) throw new ProtocolError('The FLV header is too long')
    if (input.length < first) return 0
    this.#hasBegun = true
    return first
  }
}

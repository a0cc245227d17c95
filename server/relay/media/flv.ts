// FLV, the form of a stream in files and pipes (Adobe, "Video File Format Specification" 10.1, annex E).
import { encodeAmf } from '#server/relay/rtmp/amf0.ts'
import type { Message } from '#server/relay/rtmp/chunks.ts'
import { messageType } from '#server/relay/rtmp/messages.ts'
import { ProtocolError } from '#server/relay/rtmp/protocol-error.ts'
import { CountedWrites, type Writes } from './cost.ts'
import type { Hub } from './hub.ts'
import { Outlet } from './outlet.ts'

/** Signature, version, what is in it, and the length of the header itself; behind it the size of the tag before. */
const headerBytes = 9
const sizeBytes = 4
const tagHeadBytes = 11
const tagTypes: ReadonlySet<number> = new Set([messageType.audio, messageType.video, messageType.data])

/** The first bytes of a file. Players wait for a track that is announced here and does not come. */
export function flvHeader(tracks: { readonly audio: boolean; readonly video: boolean }): Buffer {
  const flags = (tracks.audio ? 4 : 0) | (tracks.video ? 1 : 0)
  return Buffer.from([...Buffer.from('FLV'), 1, flags, 0, 0, 0, headerBytes, 0, 0, 0, 0])
}

/** Encoders send metadata as `@setDataFrame`, which tells a server to keep it; a file holds what comes behind. */
const wrapper = encodeAmf('@setDataFrame')
const withoutWrapper = (payload: Buffer): Buffer =>
  payload.subarray(0, wrapper.length).equals(wrapper) ? payload.subarray(wrapper.length) : payload

/** A tag with its size behind it. @param timestamp milliseconds, 32 bits */
export function writeTag({ type, timestamp, payload: whole }: Pick<Message, 'type' | 'timestamp' | 'payload'>): Buffer {
  const payload = withoutWrapper(whole)
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

/** Takes the tags out of bytes that come in any pieces, ready for `Hub.push`. */
export class FlvReader {
  #rest: Buffer = Buffer.alloc(0)
  #begun = false

  /**
   * Takes the next bytes.
   * @returns the messages that became whole; a tag that is cut short at the end is none
   * @throws ProtocolError for what is not FLV
   */
  read(bytes: Buffer): Message[] {
    const input = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const messages: Message[] = []
    let at = this.#begun ? 0 : this.#begin(input)
    while (this.#begun) {
      const head = input.length - at < tagHeadBytes ? null : input.subarray(at, at + tagHeadBytes)
      const end = head ? at + tagHeadBytes + head.readUIntBE(1, 3) : Number.POSITIVE_INFINITY
      if (!head || input.length < end + sizeBytes) break
      const type = head[0] ?? 0
      if (input.readUInt32BE(end) !== end - at) throw new ProtocolError('An FLV tag of another size than it says')
      const timestamp = ((head[7] ?? 0) * 2 ** 24 + head.readUIntBE(4, 3)) >>> 0
      const payload = input.subarray(at + tagHeadBytes, end)
      if (tagTypes.has(type)) messages.push({ type, streamId: 1, timestamp, payload })
      at = end + sizeBytes
    }
    this.#rest = input.subarray(at)
    return messages
  }

  /** @returns where the first tag begins; 0 as long as that cannot be told */
  #begin(input: Buffer): number {
    const signature = input.subarray(0, 3)
    if (!Buffer.from('FLV').subarray(0, signature.length).equals(signature)) throw new ProtocolError('This is not FLV')
    if (input.length < headerBytes) return 0
    const first = input.readUInt32BE(5) + sizeBytes
    if (first > headerBytes * 10) throw new ProtocolError('An FLV header too long')
    if (input.length < first) return 0
    this.#begun = true
    return first
  }
}

/**
 * Sends a stream as FLV: the header, what a decoder has to know, and from the last keyframe on every packet.
 * @param out a file, a pipe, or an answer; what waits in it is bounded by `limit`, whole groups are left out above
 * @param limit bytes that may wait
 * @returns what counts, and ends it (`out` stays open)
 */
export function sendFlv(hub: Hub, out: Writes, limit: () => number): Outlet {
  let begun = false
  const counted = new CountedWrites(out)
  return new Outlet(
    hub,
    {
      queued: () => counted.queued(),
      write({ packets }) {
        // Not before: until the first packet goes out, nobody knows what is in it.
        if (!begun) counted.write(flvHeader(hub.tracks()))
        begun = true
        const [first] = packets
        if (first)
          counted.write(packets.length === 1 ? first.tag() : Buffer.concat(packets.map((packet) => packet.tag())))
      },
    },
    limit,
  )
}

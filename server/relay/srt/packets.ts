// SRT packets (draft-sharabayko-srt 3): a header of 16 bytes and a body. Readers never throw: they return null for an invalid
// packet.
import { after, distance, type Range } from './sequence.ts'

/** Header, bytes. */
export const headerBytes = 16
/** Payload of a data packet: seven MPEG-TS packets, which fit into 1500 bytes with all headers. */
export const transportBytes = 1316

/** Types of control packets (3.2, table 1). */
export const controlType = {
  handshake: 0,
  keepalive: 1,
  acknowledgement: 2,
  loss: 3,
  shutdown: 5,
  acknowledged: 6,
  drop: 7,
  extension: 0x7fff,
} as const

export interface ControlPacket {
  readonly isControl: true
  readonly type: number
  readonly subtype: number
  /** Meaning depends on the type. */
  readonly info: number
  readonly timestamp: number
  /** Socket number of the receiver; 0 before it is known. */
  readonly destination: number
  readonly body: Buffer
}

/** Keys in alternating use. */
export type KeyParity = 'even' | 'odd'

export interface DataPacket {
  readonly isControl: false
  readonly sequence: number
  /** Encryption key; null: not encrypted. */
  readonly key: KeyParity | null
  /** Retransmitted. */
  readonly isAgain: boolean
  /** Microseconds since the connection started, 32 bits. */
  readonly timestamp: number
  readonly destination: number
  readonly payload: Buffer
}

export type SrtPacket = ControlPacket | DataPacket

const keyBits = [null, 'even', 'odd', undefined] as const

/** Reads a datagram. @returns null when it is no SRT packet */
export function readPacket(bytes: Buffer): SrtPacket | null {
  if (bytes.length < headerBytes) return null
  const [first, second] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)]
  const timestamp = bytes.readUInt32BE(8)
  const destination = bytes.readUInt32BE(12)
  const rest = bytes.subarray(headerBytes)
  if (first >= 2 ** 31) {
    const [type, subtype] = [(first >>> 16) & 0x7fff, first & 0xffff]
    return { isControl: true, type, subtype, info: second, timestamp, destination, body: rest }
  }
  const key = keyBits[(second >>> 27) & 3]
  // Both bits together occur in control packets only.
  if (key === undefined) return null
  const isAgain = (second & (1 << 26)) !== 0
  return { isControl: false, sequence: first, key, isAgain, timestamp, destination, payload: rest }
}

/** Writes a control packet. @param timestamp microseconds; sent as the lowest 32 bits */
export function writeControl(
  type: number,
  { info = 0, timestamp, destination, body = Buffer.alloc(4), subtype = 0 }: Partial<ControlPacket> & Addressed,
): Buffer {
  const bytes = Buffer.alloc(headerBytes + body.length)
  bytes.writeUInt32BE(2 ** 31 + type * 2 ** 16 + subtype, 0)
  bytes.writeUInt32BE(info >>> 0, 4)
  bytes.writeUInt32BE(timestamp >>> 0, 8)
  bytes.writeUInt32BE(destination >>> 0, 12)
  body.copy(bytes, headerBytes)
  return bytes
}

interface Addressed {
  readonly timestamp: number
  readonly destination: number
}

/** Marks a whole message: in live mode a message fits into one packet. */
const wholeMessage = 3 << 30
const keyBitsOf = { even: 1 << 27, odd: 1 << 28 } as const
/** Byte with the bit for retransmitted packets. */
const againByte = 4
const againBit = 1 << 2

/** Writes a data packet with one whole message. @param message number of the message, from 1 */
export function writeData({
  sequence,
  message,
  key,
  timestamp,
  destination,
  payload,
}: Pick<DataPacket, 'sequence' | 'key' | 'payload'> & Addressed & { readonly message: number }): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + payload.length)
  bytes.writeUInt32BE(sequence, 0)
  bytes.writeUInt32BE((wholeMessage | (key ? keyBitsOf[key] : 0) | (message & 0x3ffffff)) >>> 0, 4)
  bytes.writeUInt32BE(timestamp >>> 0, 8)
  bytes.writeUInt32BE(destination >>> 0, 12)
  payload.copy(bytes, headerBytes)
  return bytes
}

/** Marks a packet as retransmitted. */
export function markAgain(packet: Buffer): void {
  packet[againByte] = (packet[againByte] ?? 0) | againBit
}

/** Writes a loss list (appendix A): one number per packet, two per range, the first with the highest bit set. */
export function writeRanges(ranges: readonly Range[]): Buffer {
  const words = ranges.flatMap(([first, last]) => (first === last ? [first] : [first + 2 ** 31, last]))
  const bytes = Buffer.alloc(words.length * 4)
  for (const [index, word] of words.entries()) bytes.writeUInt32BE(word, index * 4)
  return bytes
}

/** Reads a loss list; invalid entries are skipped. */
export function readRanges(body: Buffer): Range[] {
  const ranges: Range[] = []
  for (let at = 0; at + 4 <= body.length; at += 4) {
    const word = body.readUInt32BE(at)
    if (word < 2 ** 31) {
      ranges.push([word, word])
    } else if (at + 8 <= body.length) {
      at += 4
      const [first, last] = [word - 2 ** 31, body.readUInt32BE(at)]
      if (last < 2 ** 31 && distance(first, last) >= 0) ranges.push([first, last])
    }
  }
  return ranges
}

/** Acknowledgement of a receiver (3.2.4). */
export interface Acknowledgement {
  /** First missing packet. */
  readonly next: number
  /** Round-trip time and its variance, microseconds. */
  readonly rtt: number
  readonly rttVariance: number
  /** Free receive buffer, packets. */
  readonly room: number
  /** Received packets and bytes per second. */
  readonly packetRate: number
  readonly byteRate: number
}

export function writeAcknowledgement(said: Acknowledgement): Buffer {
  const { next, rtt, rttVariance, room, packetRate, byteRate } = said
  const bytes = Buffer.alloc(28)
  // Link capacity would need probing by packet pairs, and live media does not use it.
  const words = [next, rtt, rttVariance, room, packetRate, packetRate, byteRate]
  for (const [index, word] of words.entries()) bytes.writeUInt32BE(Math.min(2 ** 31 - 1, Math.round(word)), index * 4)
  return bytes
}

/** Reads the used fields; a light acknowledgement contains `next` only. */
export function readAcknowledgement(body: Buffer): (Partial<Acknowledgement> & Pick<Acknowledgement, 'next'>) | null {
  if (body.length < 4) return null
  const next = body.readUInt32BE(0)
  if (next >= 2 ** 31) return null
  if (body.length < 16) return { next }
  return { next, rtt: body.readUInt32BE(4), rttVariance: body.readUInt32BE(8), room: body.readUInt32BE(12) }
}

/** Writes a drop request: a range of packets that the sender will not send (3.2.9). */
export function writeDrop([first, last]: Range): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32BE(first, 0)
  bytes.writeUInt32BE(last, 4)
  return bytes
}

/** @returns null when the range is invalid */
export function readDrop(body: Buffer): Range | null {
  if (body.length < 8) return null
  const [first, last] = [body.readUInt32BE(0), body.readUInt32BE(4)]
  const fits = first < 2 ** 31 && last < 2 ** 31 && distance(first, last) >= 0
  return fits ? [first, last] : null
}

/** First number after a range. */
export const behind = ([, last]: Range): number => after(last)

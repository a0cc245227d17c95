// Handshake extensions (draft-sharabayko-srt 3.2.1.1): capabilities, latency and stream id.

export interface Extension {
  readonly type: number
  readonly content: Buffer
}

/** Types of extensions (table 5). */
export const extensionType = {
  handshakeRequest: 1,
  handshakeResponse: 2,
  keyRequest: 3,
  keyResponse: 4,
  streamId: 5,
  congestion: 6,
} as const

/** Capabilities (table 6). */
export const capability = {
  /** Sends and delivers packets by their timestamps. */
  timedSend: 1,
  timedReceive: 2,
  encryption: 4,
  /** Drops late packets. */
  lateDrop: 8,
  periodicLoss: 16,
  /** Marks retransmitted packets. */
  again: 32,
  /** Sends files instead of messages. */
  stream: 64,
} as const

/** Version, capabilities and latency of one end. */
export interface Abilities {
  /** SRT version: 0x010501 is 1.5.1. */
  readonly version: number
  readonly flags: number
  /** Latency, milliseconds: for received packets and for sent packets. */
  readonly receiveMs: number
  readonly sendMs: number
}

/** @returns null when the content is invalid */
export function readAbilities(content: Buffer): Abilities | null {
  if (content.length < 12) return null
  return {
    version: content.readUInt32BE(0),
    flags: content.readUInt32BE(4),
    receiveMs: content.readUInt16BE(8),
    sendMs: content.readUInt16BE(10),
  }
}

export function writeAbilities({ version, flags, receiveMs, sendMs }: Abilities): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(version, 0)
  bytes.writeUInt32BE(flags, 4)
  bytes.writeUInt16BE(receiveMs, 8)
  bytes.writeUInt16BE(sendMs, 10)
  return bytes
}

/** Formats a version as text. */
export const versionText = (version: number): string =>
  [version >>> 16, (version >>> 8) & 0xff, version & 0xff].join('.')

/** Longest stream id, bytes (3.2.1.3). */
const textBytesMax = 512

/** Reads a text: words of 32 bits with reversed bytes, padded with zeros (3.2.1.3). */
export function readText(content: Buffer): string {
  const bytes = Buffer.from(content.subarray(0, Math.min(textBytesMax, content.length - (content.length % 4)))).swap32()
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
}

export function writeText(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  const words = Buffer.alloc(Math.ceil(bytes.length / 4) * 4)
  bytes.copy(words)
  return words.swap32()
}

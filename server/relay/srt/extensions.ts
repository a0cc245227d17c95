// What stands behind a handshake (draft-sharabayko-srt 3.2.1.1): what each end can do, how long packets may take, and for
// whom the caller asks.

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

/** What an end can do (table 6). */
export const capability = {
  /** It sends, and takes, each packet at its time. */
  timedSend: 1,
  timedReceive: 2,
  encryption: 4,
  /** What comes too late is left out. */
  lateDrop: 8,
  periodicLoss: 16,
  /** It says when a packet was sent before. */
  again: 32,
  /** Not in messages: files. */
  stream: 64,
} as const

/** What the ends tell each other about themselves. */
export interface Abilities {
  /** Of the program: 0x010501 is 1.5.1. */
  readonly version: number
  readonly flags: number
  /** How long a packet may take on its way, milliseconds: what the end wants for what it receives, and for what it sends. */
  readonly receiveMs: number
  readonly sendMs: number
}

/** @returns null when it is none */
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

/** A version as people write it. */
export const versionText = (version: number): string =>
  [version >>> 16, (version >>> 8) & 0xff, version & 0xff].join('.')

/** Longest stream id (3.2.1.3). */
const textBytesMax = 512

/** Texts stand in words whose bytes are turned round, and end with zeros (3.2.1.3). */
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

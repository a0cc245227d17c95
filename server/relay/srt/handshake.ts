// SRT handshake packets (draft-sharabayko-srt 3.2.1): 48 bytes, followed by extensions.
import type { Extension } from './extensions.ts'

/** Types of handshakes (table 4). Values above `refused` are reasons. */
export const handshakeType = {
  induction: 1,
  conclusion: 0xff_ff_ff_ff,
  refused: 1000,
} as const

/** Marks the response to an induction as SRT instead of UDT (4.3.1.1). */
export const srtMagic = 0x4a17
/** Bits of the field `extension` in a conclusion (3.2.1.1, table 5). */
export const extensionBit = { handshake: 1, key: 2, config: 4 } as const

export interface Handshake {
  readonly version: number
  /** Length of the encryption key in units of 8 bytes; 0: not announced. */
  readonly encryption: number
  readonly extension: number
  /** Sequence number of the first data packet. */
  readonly sequence: number
  /** Largest IP packet, bytes. */
  readonly mtu: number
  /** Flow window, packets. */
  readonly window: number
  readonly type: number
  /** Socket number of the sender. */
  readonly socket: number
  readonly cookie: number
  readonly extensions: readonly Extension[]
}

const bodyBytes = 48
/** Limit of extensions in a datagram. */
const extensionsMax = 16

/** @returns null when the body is no handshake */
export function readHandshake(body: Buffer): Handshake | null {
  if (body.length < bodyBytes) return null
  const word = (index: number) => body.readUInt32BE(index * 4)
  const extensions = readExtensions(body.subarray(bodyBytes))
  if (!extensions || word(2) >= 2 ** 31) return null
  return {
    version: word(0),
    encryption: body.readUInt16BE(4),
    extension: body.readUInt16BE(6),
    sequence: word(2),
    mtu: word(3),
    window: word(4),
    type: word(5),
    socket: word(6),
    cookie: word(7),
    extensions,
  }
}

/** @returns null when an extension is truncated */
function readExtensions(bytes: Buffer): Extension[] | null {
  const extensions: Extension[] = []
  let at = 0
  while (at + 4 <= bytes.length && extensions.length < extensionsMax) {
    const [type, end] = [bytes.readUInt16BE(at), at + 4 + bytes.readUInt16BE(at + 2) * 4]
    if (end > bytes.length) return null
    extensions.push({ type, content: bytes.subarray(at + 4, end) })
    at = end
  }
  return extensions
}

/** Writes a handshake. The peer's address is 0, because no peer reads it. */
export function writeHandshake(said: Handshake): Buffer {
  const bytes = Buffer.alloc(bodyBytes)
  bytes.writeUInt32BE(said.version, 0)
  bytes.writeUInt16BE(said.encryption, 4)
  bytes.writeUInt16BE(said.extension, 6)
  const words = [said.sequence, said.mtu, said.window, said.type, said.socket, said.cookie]
  for (const [index, word] of words.entries()) bytes.writeUInt32BE(word >>> 0, 8 + index * 4)
  const extensions = said.extensions.flatMap(({ type, content }) => {
    const head = Buffer.alloc(4)
    head.writeUInt16BE(type, 0)
    head.writeUInt16BE(Math.ceil(content.length / 4), 2)
    return [head, content, Buffer.alloc((4 - (content.length % 4)) % 4)]
  })
  return Buffer.concat([bytes, ...extensions])
}

// What both say before media flows (draft-sharabayko-srt 3.2.1): 48 bytes, and extensions behind them.
import type { Extension } from './extensions.ts'

/** Types of handshakes (table 4). What is above `refused` says why not. */
export const handshakeType = {
  induction: 1,
  conclusion: 0xff_ff_ff_ff,
  refused: 1000,
} as const

/** In the answer to an induction: this is SRT and not UDT (4.3.1.1). */
export const srtMagic = 0x4a17
/** Bits of the field `extension` in a conclusion (3.2.1.1, table 5). */
export const extensionBit = { handshake: 1, key: 2, config: 4 } as const

export interface Handshake {
  readonly version: number
  /** Length of the key that data is encrypted by, in units of 8 bytes; 0: nobody says. */
  readonly encryption: number
  readonly extension: number
  /** Number of the first data packet. */
  readonly sequence: number
  /** Bytes of a whole IP packet. */
  readonly mtu: number
  /** Packets that may be on their way. */
  readonly window: number
  readonly type: number
  /** Number of the connection at who says this. */
  readonly socket: number
  readonly cookie: number
  readonly extensions: readonly Extension[]
}

const bodyBytes = 48
/** A datagram holds no more of them. */
const extensionsMax = 16

/** @returns null when it is none */
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

/** @returns null when one is cut short */
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

/** As bytes. The address of the peer, which nobody reads, is left at 0. */
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

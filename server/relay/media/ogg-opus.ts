// Ogg pages with Opus (RFC 3533, RFC 7845): one packet a page, so that ffmpeg receives each at once.

const pageHeadBytes = 27
const serial = 1
/** Kinds of pages. */
const first = 2
const later = 0

/** CRC-32 of Ogg: polynomial 0x04c11db7, not reflected. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1
  return value
})
const crcOf = (bytes: Buffer): number => {
  let crc = 0
  for (const byte of bytes) crc = (crc << 8) ^ (table[(crc >>> 24) ^ byte] ?? 0)
  return crc >>> 0
}

/** Samples of a packet at 48 kHz, by its first byte (RFC 6716, 3.1); 0 for an empty or invalid one. */
export function opusSamples(packet: Buffer): number {
  const [toc, second = 0] = packet
  if (toc === undefined) return 0
  const config = toc >> 3
  const frame =
    config < 12 ? ([480, 960, 1920, 2880][config & 3] ?? 0) : config < 16 ? [480, 960][config & 1] : 120 << (config & 3)
  const count = (toc & 3) === 0 ? 1 : (toc & 3) === 3 ? second & 0x3f : 2
  const samples = (frame ?? 0) * count
  // A packet has 120 ms at most.
  return samples <= 5_760 ? samples : 0
}

export class OggOpusWriter {
  #sequence = 0

  /** Returns the pages before the sound. */
  head(channels: number): Buffer {
    const about = Buffer.from([...Buffer.from('OpusHead'), 1, channels, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])
    const tags = Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)])
    return Buffer.concat([this.#page(about, 0, first), this.#page(tags, 0, later)])
  }

  /** Returns the page of a packet. @param end samples at 48 kHz up to the end of the packet */
  page(packet: Buffer, end: number): Buffer {
    return this.#page(packet, end, later)
  }

  #page(packet: Buffer, end: number, kind: number): Buffer {
    const whole = Math.floor(packet.length / 255)
    const head = Buffer.alloc(pageHeadBytes)
    head.write('OggS')
    head[5] = kind
    head.writeBigUInt64LE(BigInt(end), 6)
    head.writeUInt32LE(serial, 14)
    head.writeUInt32LE(this.#sequence++, 18)
    head[26] = whole + 1
    const lengths = Buffer.alloc(whole + 1, 255)
    lengths[whole] = packet.length % 255
    const page = Buffer.concat([head, lengths, packet])
    page.writeUInt32LE(crcOf(page), 22)
    return page
  }
}

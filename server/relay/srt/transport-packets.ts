// MPEG-TS reader: finds the positions where a decoder can start, and the tables that it needs
// (ISO/IEC 13818-1, 2.4.3 and 2.4.4).

/** Packet, bytes. */
export const packetBytes = 188
const syncByte = 0x47

/** Stream types of video: MPEG-2, MPEG-4, H.264, HEVC. */
const pictures: ReadonlySet<number> = new Set([0x02, 0x10, 0x1b, 0x24])

/** Transport packet. */
export interface TransportPacket {
  readonly bytes: Buffer
  /** A decoder can start here: a keyframe, or audio in a stream without video. */
  readonly isStart: boolean
}

/** Splits a byte stream into packets. */
export class TransportReader {
  #rest: Buffer = Buffer.alloc(0)
  #tablePid = -1
  #picturePid: number | null = null
  #associations: Buffer | null = null
  #table: Buffer | null = null

  /** Latest program tables, which a decoder needs first. */
  opening(): readonly Buffer[] {
    return [this.#associations, this.#table].filter((packet) => packet !== null)
  }

  /** Returns the packets completed by these bytes; bytes between packets are skipped. */
  read(bytes: Buffer): TransportPacket[] {
    const input = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const packets: TransportPacket[] = []
    let at = 0
    while (input.length - at >= packetBytes) {
      if (input[at] !== syncByte) {
        const next = input.indexOf(syncByte, at + 1)
        at = next === -1 ? input.length : next
        continue
      }
      const packet = input.subarray(at, at + packetBytes)
      packets.push({ bytes: packet, isStart: this.#check(packet) })
      at += packetBytes
    }
    this.#rest = Buffer.from(input.subarray(at))
    return packets
  }

  #check(packet: Buffer): boolean {
    const pid = packet.readUInt16BE(1) & 0x1fff
    const begins = ((packet[1] ?? 0) & 0x40) !== 0
    if (pid === 0 && begins) this.#readAssociations(packet)
    else if (pid === this.#tablePid && begins) this.#readTable(packet)
    if (this.#table === null || !begins || pid === 0 || pid === this.#tablePid) return false
    if (this.#picturePid === null) return true
    return pid === this.#picturePid && isRandomAccess(packet)
  }

  /** Selects the first listed program. */
  #readAssociations(packet: Buffer): void {
    const section = sectionOf(packet)
    if (!section || section.length < 12) return
    this.#associations = Buffer.from(packet)
    for (let at = 8; at + 8 <= section.length; at += 4) {
      if (section.readUInt16BE(at) === 0) continue
      this.#tablePid = section.readUInt16BE(at + 2) & 0x1fff
      return
    }
  }

  #readTable(packet: Buffer): void {
    const section = sectionOf(packet)
    if (!section || section.length < 12) return
    this.#table = Buffer.from(packet)
    this.#picturePid = null
    let at = 12 + (section.readUInt16BE(10) & 0xfff)
    while (at + 5 <= section.length - 4) {
      if (pictures.has(section[at] ?? 0)) this.#picturePid ??= section.readUInt16BE(at + 1) & 0x1fff
      at += 5 + (section.readUInt16BE(at + 3) & 0xfff)
    }
  }
}

/** Offset of the payload after the adaptation field. */
function loadAt(packet: Buffer): number {
  const control = (packet[3] ?? 0) >> 4
  return (control & 2) === 0 ? 4 : 5 + (packet[4] ?? 0)
}

/** Table section contained in this packet. */
function sectionOf(packet: Buffer): Buffer | null {
  const load = loadAt(packet)
  if (load >= packetBytes) return null
  const at = load + 1 + (packet[load] ?? 0)
  if (at + 3 > packetBytes) return null
  const end = at + 3 + (packet.readUInt16BE(at + 1) & 0xfff)
  return end <= packetBytes ? packet.subarray(at, end) : null
}

/** Keyframe mark of the muxer (random_access_indicator, 2.4.3.5). */
function isRandomAccess(packet: Buffer): boolean {
  const control = (packet[3] ?? 0) >> 4
  return (control & 2) !== 0 && (packet[4] ?? 0) > 0 && ((packet[5] ?? 0) & 0x40) !== 0
}

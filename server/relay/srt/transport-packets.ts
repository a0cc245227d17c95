// MPEG-TS reader: finds the positions where a decoder can start, and the tables that it needs
// (ISO/IEC 13818-1, 2.4.3 and 2.4.4).

/** Packet, bytes. */
export const packetBytes = 188
const syncByte = 0x47

/** Stream types of video: MPEG-2, MPEG-4, H.264, HEVC. */
const pictures: ReadonlySet<number> = new Set([0x02, 0x10, 0x1b, 0x24])

/** Stream types of sound: MPEG-1 and 2, AAC in both forms, AC-3. Others, such as Opus, are private data. */
const sounds: ReadonlySet<number> = new Set([0x03, 0x04, 0x0f, 0x11, 0x81])
/** AAC with ADTS headers: the sound that is sure to fit into FLV. */
const plainSound = 0x0f
/** Sounds that an encoder may have; further ones are dropped. */
const soundsMax = 8

/** Streams of the program. */
export interface ProgramStreams {
  readonly picture: number | null
  /** Main sound; null without one. */
  readonly sound: number | null
  /** Further sounds, in the order of the table. */
  readonly further: readonly number[]
}

/** Transport packet. */
export interface TransportPacket {
  readonly bytes: Buffer
  readonly pid: number
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
  #streams: ProgramStreams = { picture: null, sound: null, further: [] }
  /** Further sounds that have sent data. */
  readonly #heard = new Set<number>()

  /** Streams by the latest table. */
  get streams(): ProgramStreams {
    return this.#streams
  }

  /** Returns whether a further sound has sent data: tables may announce more than is sent. */
  hasHeard(pid: number): boolean {
    return this.#heard.has(pid)
  }

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
      packets.push({ bytes: packet, pid: pidOf(packet), isStart: this.#check(packet) })
      at += packetBytes
    }
    this.#rest = Buffer.from(input.subarray(at))
    return packets
  }

  #check(packet: Buffer): boolean {
    const pid = pidOf(packet)
    const begins = ((packet[1] ?? 0) & 0x40) !== 0
    if (pid === 0 && begins) this.#readAssociations(packet)
    else if (pid === this.#tablePid && begins) this.#readTable(packet)
    if (begins && this.#streams.further.includes(pid)) this.#heard.add(pid)
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
    const found: { readonly type: number; readonly pid: number }[] = []
    let at = 12 + (section.readUInt16BE(10) & 0xfff)
    while (at + 5 <= section.length - 4) {
      const [type, pid] = [section[at] ?? 0, section.readUInt16BE(at + 1) & 0x1fff]
      if (pictures.has(type)) this.#picturePid ??= pid
      else if (sounds.has(type) && !found.some((one) => one.pid === pid)) found.push({ type, pid })
      at += 5 + (section.readUInt16BE(at + 3) & 0xfff)
    }
    const [main, ...others] = found
    const further = others.filter(({ type }) => type === plainSound).map(({ pid }) => pid)
    this.#streams = {
      picture: this.#picturePid,
      sound: main?.pid ?? null,
      further: further.slice(0, soundsMax - 1),
    }
    for (const pid of this.#heard) if (!this.#streams.further.includes(pid)) this.#heard.delete(pid)
  }
}

const pidOf = (packet: Buffer): number => packet.readUInt16BE(1) & 0x1fff

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

// Parameter sets in front of keyframes. Receivers that change the container of a stream (MPEG-TS, MP4, HLS) keep the sets of its
// first header: after an encoder with other settings they need the new sets in the stream itself (ISO/IEC 14496-15, 5.3 and 8.3). After
// keyframes with sets (SRT) they need them in those of another encoder too (RTMP): ffmpeg stops inserting its own.
import { enhancedType, isEnhanced } from './codecs.ts'
import { messageType } from '#server/relay/rtmp/message.ts'
import type { Packet } from './packet.ts'

/** Parameter sets of a decoder configuration. */
interface Sets {
  /** Bytes of the length before each NAL unit. */
  readonly lengthBytes: number
  readonly units: readonly Buffer[]
}

/** NAL unit types of a codec. */
interface Units {
  readonly typeOf: (firstByte: number) => number
  readonly sequence: number
  readonly delimiter: number
}

const avc: Units = { typeOf: (byte) => byte & 0x1f, sequence: 7, delimiter: 9 }
const hevc: Units = { typeOf: (byte) => (byte >> 1) & 0x3f, sequence: 33, delimiter: 35 }
const units: Readonly<Record<string, Units>> = { avc1: avc, hvc1: hevc }

/** Types of parameter sets in a configuration of HEVC: VPS, SPS, PPS. */
const hevcSets: ReadonlySet<number> = new Set([32, 33, 34])
/** Offset of the arrays in a configuration of HEVC. */
const arraysAt = 22

export class ParameterSets {
  #header: Buffer | null = null
  /** Null for a configuration that cannot be parsed. */
  #sets: Sets | null = null
  /** The stream has had several configurations, or keyframes with sets of their own. */
  #isNeeded = false

  /**
   * Returns a message of the stream, with the parameter sets in its keyframes once they have changed, or once a keyframe had them. Until
   * then, and for other codecs, bytes stay unchanged.
   */
  of(packet: Packet): Packet {
    if (packet.kind !== 'video' || packet.role === 'frame') return packet
    const codec = units[packet.codec]
    if (packet.role === 'header') {
      this.#takeHeader(packet, codec)
      return packet
    }
    if (!this.#sets || !codec) return packet
    const payload = withSets(packet.payload, this.#sets, codec)
    this.#isNeeded ||= payload === 'own'
    return this.#isNeeded && payload instanceof Buffer ? packet.with(payload) : packet
  }

  #takeHeader({ payload, codec: name }: Packet, codec: Units | undefined): void {
    if (this.#header?.equals(payload)) return
    this.#isNeeded ||= this.#header !== null
    this.#header = Buffer.from(payload)
    this.#sets = codec ? readSets(payload.subarray(bodyAt(payload)), name) : null
  }
}

/**
 * Returns the first sequence parameter set of a video header.
 * @returns null for other codecs, and for a configuration that cannot be parsed
 */
export function setsInHeader(payload: Buffer, name: string): { readonly sequence: Buffer | undefined } | null {
  const codec = units[name]
  const sets = codec && readSets(payload.subarray(bodyAt(payload)), name)
  if (!codec || !sets) return null
  return { sequence: sets.units.find((unit) => codec.typeOf(unit[0] ?? 0) === codec.sequence) }
}

/** Offset of the body of a video message: the configuration, or NAL units. */
function bodyAt(payload: Buffer): number {
  const isNew = isEnhanced(messageType.video, payload)
  if (!isNew) return 5
  const { type, at } = enhancedType(payload)
  // CodedFrames has a composition time after the FourCC.
  return at + 5 + (type === 1 ? 3 : 0)
}

/** Parses a decoder configuration. @returns null if it is invalid */
function readSets(body: Buffer, codec: string): Sets | null {
  try {
    return codec === 'avc1' ? readAvc(body) : readHevc(body)
  } catch {
    // Beyond the end of the message.
    return null
  }
}

/** AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1). */
function readAvc(body: Buffer): Sets | null {
  const lengthBytes = (body.readUInt8(4) & 3) + 1
  const sequence = readUnits(body, 6, body.readUInt8(5) & 0x1f)
  const picture = readUnits(body, sequence.end + 1, body.readUInt8(sequence.end))
  return complete({ lengthBytes, units: [...sequence.units, ...picture.units] })
}

/** HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1). */
function readHevc(body: Buffer): Sets | null {
  const lengthBytes = (body.readUInt8(21) & 3) + 1
  const found: Buffer[] = []
  let at = arraysAt + 1
  for (let left = body.readUInt8(arraysAt); left > 0; left--) {
    const isSet = hevcSets.has(body.readUInt8(at) & 0x3f)
    const read = readUnits(body, at + 3, body.readUInt16BE(at + 1))
    if (isSet) found.push(...read.units)
    at = read.end
  }
  return complete({ lengthBytes, units: found })
}

/** Reads NAL units, each after its length in two bytes. @throws RangeError beyond the end */
function readUnits(body: Buffer, from: number, count: number) {
  const found: Buffer[] = []
  let at = from
  for (let left = count; left > 0; left--) {
    const end = at + 2 + body.readUInt16BE(at)
    if (end > body.length) throw new RangeError('A parameter set ends beyond its message')
    found.push(Buffer.from(body.subarray(at + 2, end)))
    at = end
  }
  return { units: found, end: at }
}

/** Three bytes are no length in any configuration, and a unit longer than its length cannot be written. */
function complete(sets: Sets): Sets | null {
  const { lengthBytes, units: list } = sets
  const isValid =
    lengthBytes !== 3 && list.length > 0 && list.every(({ length }) => length > 0 && length < 256 ** lengthBytes)
  return isValid ? sets : null
}

/** Inserts the sets behind a leading access unit delimiter. @returns `own` if the keyframe has them; null if it cannot be parsed */
function withSets(
  payload: Buffer,
  { lengthBytes, units: list }: Sets,
  { typeOf, sequence, delimiter }: Units,
): Buffer | 'own' | null {
  const from = bodyAt(payload)
  let insertAt = from
  for (let at = from; at < payload.length;) {
    const start = at + lengthBytes
    if (start >= payload.length) return null
    const end = start + payload.readUIntBE(at, lengthBytes)
    if (end > payload.length) return null
    const type = typeOf(payload[start] ?? 0)
    if (type === sequence) return 'own'
    if (type === delimiter && at === from) insertAt = end
    at = end
  }
  if (payload.length === from) return null
  const sets = list.flatMap((unit) => {
    const length = Buffer.alloc(lengthBytes)
    length.writeUIntBE(unit.length, 0, lengthBytes)
    return [length, unit]
  })
  return Buffer.concat([payload.subarray(0, insertAt), ...sets, payload.subarray(insertAt)])
}

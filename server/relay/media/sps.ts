// Size and rate of the pictures by the sequence parameter set of H.264 (ITU-T H.264, 7.3.2.1.1 and annex E) and HEVC (ITU-T H.265, 7.3.2.2).
import { Bits } from './bits.ts'
import { setsInHeader } from './parameter-sets.ts'

/** Pictures of a stream. */
export interface Pictures {
  /** Pixels, without what the stream crops. */
  readonly width: number
  readonly height: number
  /** Frames a second; 0 if the set has none. */
  readonly frameRate: number
}

/** Longest set that is parsed, bytes; those of encoders have about a hundred. */
const bytesMax = 4_096
const sizeMax = 16_384
/** Above it the time base is no frame rate. */
const rateMax = 240

/**
 * Reads the pictures that a video header announces.
 * @param payload RTMP message with the decoder configuration
 * @returns null for other codecs, and for a set that cannot be read
 */
export function picturesOf(payload: Buffer, codec: string): Pictures | null {
  const read = codec === 'avc1' ? readAvc : codec === 'hvc1' ? readHevc : null
  const unit = read && setsInHeader(payload, codec)?.sequence
  if (!read || !unit || unit.length > bytesMax) return null
  try {
    return possible(read(new Bits(unit)))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function possible({ width, height, frameRate }: Pictures): Pictures | null {
  const isSize = (pixels: number) => pixels > 0 && pixels <= sizeMax
  if (!isSize(width) || !isSize(height)) return null
  return { width, height, frameRate: frameRate > 0 && frameRate <= rateMax ? Math.round(frameRate * 100) / 100 : 0 }
}

/** Profiles of H.264 that name their chroma format. */
const highProfiles: ReadonlySet<number> = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])

function readAvc(bits: Bits): Pictures {
  bits.skip(8)
  const profile = bits.read(8)
  bits.skip(16)
  bits.unsigned()
  const chroma = highProfiles.has(profile) ? avcChroma(bits) : 1
  bits.unsigned()
  avcOrder(bits)
  bits.unsigned()
  bits.skip(1)
  const [columns, rows] = [bits.unsigned(sizeMax) + 1, bits.unsigned(sizeMax) + 1]
  const isProgressive = bits.flag()
  if (!isProgressive) bits.skip(1)
  bits.skip(1)
  const lines = isProgressive ? 1 : 2
  const [left, right, top, bottom] = crop(bits)
  const [unitX, unitY] = [chroma === 1 || chroma === 2 ? 2 : 1, (chroma === 1 ? 2 : 1) * lines]
  const width = columns * 16 - (left + right) * unitX
  const height = rows * 16 * lines - (top + bottom) * unitY
  // A frame has two ticks.
  return { width, height, frameRate: bits.flag() ? avcRate(bits) / 2 : 0 }
}

/** Chroma format, bit depths and scaling lists. @returns the chroma format; separate planes are as monochrome */
function avcChroma(bits: Bits): number {
  const chroma = bits.unsigned(3)
  const isSeparate = chroma === 3 && bits.flag()
  bits.unsigned()
  bits.unsigned()
  bits.skip(1)
  if (bits.flag()) for (let list = 0; list < (chroma === 3 ? 12 : 8); list++) if (bits.flag()) avcScaling(bits, list)
  return isSeparate ? 0 : chroma
}

function avcScaling(bits: Bits, list: number): void {
  const size = list < 6 ? 16 : 64
  let next = 8
  for (let at = 0; at < size && next !== 0; at++) next = (next + bits.signed()) & 255
}

/** Order of the pictures. */
function avcOrder(bits: Bits): void {
  const type = bits.unsigned(2)
  if (type === 0) bits.unsigned()
  if (type !== 1) return
  bits.skip(1)
  bits.signed()
  bits.signed()
  for (let left = bits.unsigned(255); left > 0; left--) bits.signed()
}

/** Offsets of the crop; none without one. */
function crop(bits: Bits): readonly [number, number, number, number] {
  if (!bits.flag()) return [0, 0, 0, 0]
  const offset = () => bits.unsigned(sizeMax)
  return [offset(), offset(), offset(), offset()]
}

/** Ticks a second, from the beginning of the usability information; 0 without them. */
function avcRate(bits: Bits): number {
  usability(bits)
  return ticks(bits)
}

/** Aspect ratio, overscan, colours and chroma location: the same in both codecs. */
function usability(bits: Bits): void {
  const extendedAspect = 255
  if (bits.flag() && bits.read(8) === extendedAspect) bits.skip(32)
  if (bits.flag()) bits.skip(1)
  if (bits.flag()) {
    bits.skip(4)
    if (bits.flag()) bits.skip(24)
  }
  if (!bits.flag()) return
  bits.unsigned()
  bits.unsigned()
}

function ticks(bits: Bits): number {
  if (!bits.flag()) return 0
  const [units, scale] = [bits.read(32), bits.read(32)]
  return units === 0 ? 0 : scale / units
}

function readHevc(bits: Bits): Pictures {
  bits.skip(16 + 4)
  const layers = bits.read(3)
  bits.skip(1)
  hevcProfile(bits, layers)
  bits.unsigned()
  const chroma = bits.unsigned(3)
  const isSeparate = chroma === 3 && bits.flag()
  const [codedWidth, codedHeight] = [bits.unsigned(sizeMax), bits.unsigned(sizeMax)]
  const [left, right, top, bottom] = crop(bits)
  const unitX = (chroma === 1 || chroma === 2) && !isSeparate ? 2 : 1
  const width = codedWidth - (left + right) * unitX
  const height = codedHeight - (top + bottom) * (chroma === 1 ? 2 : 1)
  return { width, height, frameRate: hevcRate(bits, layers) }
}

/** Profile, tier and level, also of the layers. */
function hevcProfile(bits: Bits, layers: number): void {
  const [profileBits, levelBits] = [88, 8]
  bits.skip(profileBits + levelBits)
  const flags = Array.from({ length: layers }, () => [bits.flag(), bits.flag()] as const)
  if (layers > 0) bits.skip((8 - layers) * 2)
  for (const [hasProfile, hasLevel] of flags) bits.skip((hasProfile ? profileBits : 0) + (hasLevel ? levelBits : 0))
}

/** Frames a second, from the bit depths on; 0 without the usability information. */
function hevcRate(bits: Bits, layers: number): number {
  bits.unsigned()
  bits.unsigned()
  const orderBits = bits.unsigned(12) + 4
  for (let left = bits.flag() ? layers + 1 : 1; left > 0; left--) for (let of3 = 3; of3 > 0; of3--) bits.unsigned()
  for (let of6 = 6; of6 > 0; of6--) bits.unsigned()
  if (bits.flag() && bits.flag()) hevcScaling(bits)
  bits.skip(2)
  if (bits.flag()) {
    bits.skip(8)
    bits.unsigned()
    bits.unsigned()
    bits.skip(1)
  }
  hevcReferences(bits)
  if (bits.flag()) bits.skip(bits.unsigned(32) * (orderBits + 1))
  bits.skip(2)
  if (!bits.flag()) return 0
  usability(bits)
  bits.skip(3)
  crop(bits)
  return ticks(bits)
}

function hevcScaling(bits: Bits): void {
  for (let size = 0; size < 4; size++)
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      const isOwn = bits.flag()
      if (!isOwn) {
        bits.unsigned()
        continue
      }
      const count = Math.min(64, 1 << (4 + size * 2)) + (size > 1 ? 1 : 0)
      for (let left = count; left > 0; left--) bits.signed()
    }
}

/** Short-term reference pictures. */
function hevcReferences(bits: Bits): void {
  const sets = bits.unsigned(64)
  const picturesMax = 16
  let before = 0
  for (let set = 0; set < sets; set++) {
    const isPredicted = set > 0 && bits.flag()
    if (isPredicted) {
      bits.skip(1)
      bits.unsigned()
      let count = 0
      for (let picture = 0; picture <= before; picture++) if (bits.flag() || bits.flag()) count++
      before = count
    } else {
      before = bits.unsigned(picturesMax) + bits.unsigned(picturesMax)
      for (let left = before; left > 0; left--) {
        bits.unsigned()
        bits.skip(1)
      }
    }
  }
}

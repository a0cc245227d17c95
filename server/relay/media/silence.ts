// Silence, as AAC says it: one frame for each way in which sound may be coded.
import { inspectAudio } from './codecs.ts'

/** What a stream goes on with when there is no sound. */
export interface Silence {
  /** An FLV audio tag's content. */
  readonly payload: Buffer
  /** How long it lasts. */
  readonly ms: number
}

/** Hertz by the number that a header has for them (ISO/IEC 14496-3, table 1.18). */
const rates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
const samplesPerFrame = 1024
const lowComplexity = 2

/** A raw data block without any spectrum, by the number of channels: one element, everything zero, the end. */
const frames: Readonly<Record<number, readonly number[]>> = {
  1: [0x00, 0xc8, 0x00, 0x80, 0x23, 0x80],
  2: [0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80],
}

/**
 * Silence for a stream.
 * @param header the content of its audio header tag
 * @returns null where the sound is no plain AAC of one or two channels
 */
export function silenceFor(header: Buffer): Silence | null {
  const { role, codec } = inspectAudio(header)
  if (role !== 'header' || codec !== 'aac ' || header.length < 4) return null
  // AudioSpecificConfig: five bits say what kind, four the rate, four the channels.
  const config = header.readUInt16BE(2)
  const rate = rates[(config >> 7) & 0x0f]
  const frame = frames[(config >> 3) & 0x0f]
  if (config >> 11 !== lowComplexity || rate === undefined || frame === undefined) return null
  return { payload: Buffer.from([header[0] ?? 0, 1, ...frame]), ms: (samplesPerFrame / rate) * 1000 }
}

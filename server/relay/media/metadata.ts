// Metadata of a stream (`onMetaData`). Its content is not reliable: pictures are read from the video header (`sps.ts`) where possible.
import { decodeAmf } from '#server/relay/rtmp/amf0.ts'
import { plain } from '#server/relay/rtmp/messages.ts'

export interface Metadata {
  /** Pixels; 0 if unknown. */
  readonly width: number
  readonly height: number
  /** Frames a second; 0 if unknown. */
  readonly frameRate: number
  /** Name of the encoder, often longer than `flashVer`; empty if missing. */
  readonly encoder: string
}

/** Of a stream without metadata. */
export const noMetadata: Metadata = { width: 0, height: 0, frameRate: 0, encoder: '' }

const sizeMax = 65_535
const frameRateMax = 1_000
const lengthMax = 100
/** Larger metadata is forwarded and not parsed. */
const bytesMax = 65_536

/** Parses metadata. Ignores invalid values; never throws. */
export function readMetadata(payload: Buffer): Metadata {
  const facts = factsOf(payload)
  const size = (name: string) => {
    const value = facts[name]
    return typeof value === 'number' && value > 0 && value <= sizeMax ? Math.round(value) : 0
  }
  const { encoder, framerate } = facts
  return {
    width: size('width'),
    height: size('height'),
    frameRate: typeof framerate === 'number' && framerate > 0 && framerate <= frameRateMax ? framerate : 0,
    encoder: typeof encoder === 'string' ? plain(encoder).trim().slice(0, lengthMax) : '',
  }
}

function factsOf(payload: Buffer): Readonly<Record<string, unknown>> {
  if (payload.length > bytesMax) return {}
  try {
    const found = decodeAmf(payload).find((value) => typeof value === 'object' && value !== null)
    return (found ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}

// What an encoder says of its stream (`onMetaData`). People read it; nothing relies on it, and it may be anything.
import { decodeAmf } from '#server/relay/rtmp/amf0.ts'
import { plain } from '#server/relay/rtmp/messages.ts'

export interface Metadata {
  /** Pixels; 0 where nobody said it. */
  readonly width: number
  readonly height: number
  /** What the encoder calls itself, at more length than in `flashVer`; empty where it does not. */
  readonly encoder: string
}

/** Of a stream that said nothing. */
export const noMetadata: Metadata = { width: 0, height: 0, encoder: '' }

const sizeMax = 65_535
const lengthMax = 100
/** Metadata of any length is passed on; longer ones are not read. */
const bytesMax = 65_536

/** Reads it. What makes no sense is left out; never throws. */
export function readMetadata(payload: Buffer): Metadata {
  const facts = factsOf(payload)
  const size = (name: string) => {
    const value = facts[name]
    return typeof value === 'number' && value > 0 && value <= sizeMax ? Math.round(value) : 0
  }
  const { encoder } = facts
  return {
    width: size('width'),
    height: size('height'),
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

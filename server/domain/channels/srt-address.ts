// Parameters of SRT addresses, as people write them: those of libsrt's own programs.
import type { SrtTarget } from '#contract/relay/desired-state.ts'

/** Fault of a parameter. */
export type SrtFault = 'srt_parameter' | 'srt_streamid' | 'srt_passphrase' | 'srt_latency' | 'srt_pbkeylen'

/** Stream id and passphrase are secrets. */
export type SrtParameters = Pick<SrtTarget, 'streamId' | 'passphrase' | 'keyBytes' | 'latencyMs'>

const known = new Set(['streamid', 'passphrase', 'pbkeylen', 'latency', 'mode'])
/** Longest stream id, bytes (draft-sharabayko-srt 3.2.1.3). */
const streamIdBytesMax = 512
/** Length of a passphrase, bytes (libsrt, SRTO_PASSPHRASE). */
const passphraseBytes = { least: 10, most: 79 }
/** Latency, milliseconds. */
const latency = { least: 120, most: 8_000, usual: 1_000 }
const keyLengths = [16, 24, 32] as const

/** Reads the query of an SRT address. @returns the parameters, or the fault of the first wrong one */
export function readSrtQuery(query: string): SrtParameters | { readonly fault: SrtFault } {
  const values = new Map<string, string>()
  for (const pair of query.split('&').filter(Boolean)) {
    const [name = '', ...rest] = pair.split('=')
    const value = decoded(rest.join('='))
    if (!known.has(name) || values.has(name) || value === null) return { fault: 'srt_parameter' }
    values.set(name, value)
  }
  const { streamid = '', passphrase = '', mode = 'caller', ...rest } = Object.fromEntries(values)
  if (mode !== 'caller') return { fault: 'srt_parameter' }
  if (Buffer.byteLength(streamid) > streamIdBytesMax || /\p{Cc}/u.test(streamid)) return { fault: 'srt_streamid' }
  const length = Buffer.byteLength(passphrase)
  if (values.has('passphrase') && (length < passphraseBytes.least || length > passphraseBytes.most))
    return { fault: 'srt_passphrase' }
  const latencyMs = Number(rest['latency'] ?? latency.usual)
  if (!Number.isInteger(latencyMs) || latencyMs < latency.least || latencyMs > latency.most)
    return { fault: 'srt_latency' }
  const keyBytes = keyLengths.find((one) => String(one) === (rest['pbkeylen'] ?? '16'))
  return keyBytes ? { streamId: streamid, passphrase, keyBytes, latencyMs } : { fault: 'srt_pbkeylen' }
}

/** Decodes percent-encoding. A plus stays one: passphrases contain it. @returns null when it is invalid */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

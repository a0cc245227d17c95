// SRT stream id: mode of the caller, and its key or the number of the key.
import { backupSuffix } from '#contract/entities/ingest.ts'

/** Key (a secret) in the clear, or for encrypted callers the number of the project or of the pull key. */
export type StreamId = {
  readonly mode: 'publish' | 'play'
  /** A backup encoder; `key` is without its suffix. */
  readonly isBackup: boolean
} & ({ readonly key: string; readonly number: null } | { readonly key: null; readonly number: number })

const accessControl = '#!::'
/** Prefix of a pull key, the same as for RTMP. */
export const pullPrefix = 'pull/'
const livePrefix = 'live/'
/** Prefix of a project number; the stream key is the passphrase. */
const projectPrefix = 'project/'

/**
 * Reads a stream id: a key alone publishes, `pull/<key>` plays. The form of the access control guideline is accepted too
 * (libsrt, docs/features/access-control.md): `#!::r=<key>,m=publish`, `#!::r=<key>,m=request`. An encrypted caller sends a number,
 * `project/<project>` or `pull/<number of the pull key>`, and uses the key as passphrase, which is never transmitted. A backup encoder
 * adds `-backup` to its key, or to the number; its passphrase is the same.
 * @returns null when the stream id is invalid
 */
export function readStreamId(said: string): StreamId | null {
  const text = said.includes('%') ? decoded(said) : said
  if (!text.startsWith(accessControl)) return named(text, null)
  const pairs = text.slice(accessControl.length).split(',')
  const values = new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
  const mode = values.get('m') ?? 'request'
  if (mode !== 'publish' && mode !== 'request') return null
  return named(values.get('r') ?? '', mode === 'publish' ? 'publish' : 'play')
}

/** Decodes percent-encoding: some programs send the stream id as it is in the address (ffmpeg up to 5.1). */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function named(name: string, said: StreamId['mode'] | null): StreamId | null {
  const isPull = name.startsWith(pullPrefix)
  const prefix = [pullPrefix, livePrefix, projectPrefix].find((one) => name.startsWith(one)) ?? ''
  const mode = said ?? (isPull ? 'play' : 'publish')
  const isBackup = mode === 'publish' && name.endsWith(backupSuffix)
  const key = name.slice(prefix.length, isBackup ? -backupSuffix.length : undefined)
  if (key === '' || (prefix !== '' && isPull !== (mode === 'play'))) return null
  if (prefix === projectPrefix || (isPull && /^\d+$/.test(key)))
    return /^\d{1,15}$/.test(key) ? { mode, isBackup, key: null, number: Number(key) } : null
  return { mode, isBackup, key, number: null }
}

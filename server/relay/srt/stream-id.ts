// For whom a caller asks, and what for.

/** A key, which is a secret, or whose key it is that the caller encrypts by: a project's, or a pull key by its number. */
export type StreamId = { readonly mode: 'publish' | 'play' } & (
  | { readonly key: string; readonly number: null }
  | { readonly key: null; readonly number: number }
)

const accessControl = '#!::'
/** In front of a key in an address by which a stream is fetched, as it is with RTMP. */
export const pullPrefix = 'pull/'
const livePrefix = 'live/'
/** In front of the number of a project whose stream key is the passphrase. */
const projectPrefix = 'project/'

/**
 * Reads a stream id: a key alone publishes, `pull/<key>` plays, and the form of the access control guideline does as it says
 * (libsrt, docs/features/access-control.md): `#!::r=<key>,m=publish`, `#!::r=<key>,m=request`. Who encrypts says a number instead,
 * `project/<project>` or `pull/<number of the pull key>`, and the key is the passphrase: it never goes over the line.
 * @returns null when it says nothing that we know
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

/** Some programs send what stands in an address as it stands there (ffmpeg up to 5.1). */
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
  const key = name.slice(prefix.length)
  const mode = said ?? (isPull ? 'play' : 'publish')
  if (key === '' || (prefix !== '' && isPull !== (mode === 'play'))) return null
  if (prefix === projectPrefix || (isPull && /^\d+$/.test(key)))
    return /^\d{1,15}$/.test(key) ? { mode, key: null, number: Number(key) } : null
  return { mode, key, number: null }
}

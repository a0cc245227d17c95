// For whom a caller asks, and what for.

/** `key` is a secret. */
export interface StreamId {
  readonly key: string
  readonly mode: 'publish' | 'play'
}

const accessControl = '#!::'
/** In front of a key in an address by which a stream is fetched, as it is with RTMP. */
export const pullPrefix = 'pull/'
const livePrefix = 'live/'

/**
 * Reads a stream id: a key alone publishes, `pull/<key>` plays, and the form of the access control guideline does as it says
 * (libsrt, docs/features/access-control.md): `#!::r=<key>,m=publish`, `#!::r=<key>,m=request`.
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
  const prefix = isPull ? pullPrefix : name.startsWith(livePrefix) ? livePrefix : ''
  const key = name.slice(prefix.length)
  const mode = said ?? (isPull ? 'play' : 'publish')
  return key === '' || (isPull && mode === 'publish') ? null : { key, mode }
}

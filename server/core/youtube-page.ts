// Addresses of YouTube: the video, channel or handle that a page belongs to.

/** Video, channel or handle of an address. */
export interface YoutubePage {
  readonly is: 'video' | 'channel' | 'handle'
  /** As in the address, a handle without `@`. */
  readonly id: string
}

const video = /^[\w-]{11}$/

/**
 * Returns what an address names; null for one that names nothing, and for addresses elsewhere.
 * @example youtubePage('https://www.youtube.com/@Name/live') // { is: 'handle', id: 'Name' }
 */
export function youtubePage(page: string): YoutubePage | null {
  if (!URL.canParse(page)) return null
  const { hostname, pathname, searchParams } = new URL(page)
  const [first = '', second = ''] = pathname.split('/').filter((part) => part !== '')
  if (hostname === 'youtu.be') return named('video', first)
  if (!isYoutube(hostname)) return null
  if (first === 'watch') return named('video', searchParams.get('v') ?? '')
  if (first === 'live' || first === 'embed' || first === 'video') return named('video', second)
  if (first === 'channel') return named('channel', second)
  if (first === 'c' || first === 'user') return named('handle', second)
  return first.startsWith('@') ? named('handle', first.slice(1)) : null
}

/** Returns whether a host serves pages of YouTube. */
export const isYoutube = (hostname: string): boolean => /(^|\.)(youtube\.com|youtu\.be)$/.test(hostname)

function named(is: YoutubePage['is'], id: string): YoutubePage | null {
  const isValid = is === 'video' ? video.test(id) : id !== '' && id.length <= 100
  return isValid ? { is, id } : null
}

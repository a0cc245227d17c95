// Link to a shared channel, kept until it is answered. Its secret follows `#`, which no server receives, and is removed
// from the URL immediately: sign-in passes through other pages, and their URLs are sent.
import { paths } from '#src/lib/paths.ts'

/** Parameters of the link, as the operations name them. */
export interface ChannelLink {
  readonly channel_id: number
  readonly secret: string
}

const key = 'relaydeck.channel-invite'

/** Takes the link from the URL, else the stored one; null without any. */
export function takeLink(): ChannelLink | null {
  const secret = location.hash.slice(1)
  const linked = `${new URLSearchParams(location.search).get('channel') ?? ''} ${secret}`
  if (secret !== '') history.replaceState(history.state, '', paths.channelInvite())
  const [channel = '', kept = ''] = keep(secret === '' ? null : linked).split(' ')
  const channelId = Number(channel)
  return Number.isSafeInteger(channelId) && channelId > 0 && kept !== ''
    ? { channel_id: channelId, secret: kept }
    : null
}

/** Stores a link, and returns the stored one. Without access to storage only this page has it. */
function keep(linked: string | null): string {
  try {
    if (linked !== null) sessionStorage.setItem(key, linked)
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return linked ?? ''
  }
}

/** Forgets the link after an answer. */
export const dropLink = (): void => sessionStorage.removeItem(key)

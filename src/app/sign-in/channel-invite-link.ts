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
  if (secret !== '') {
    const channel = new URLSearchParams(location.search).get('channel') ?? ''
    sessionStorage.setItem(key, `${channel} ${secret}`)
    history.replaceState(history.state, '', paths.channelInvite())
  }
  const [channel = '', kept = ''] = (sessionStorage.getItem(key) ?? '').split(' ')
  const channelId = Number(channel)
  return Number.isSafeInteger(channelId) && channelId > 0 && kept !== ''
    ? { channel_id: channelId, secret: kept }
    : null
}

/** Forgets the link after an answer. */
export const dropLink = (): void => sessionStorage.removeItem(key)

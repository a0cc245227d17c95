// A link to a shared channel while it is being answered. Its secret comes behind `#`, which no server sees, and leaves
// the address at once: signing in goes through other pages, whose addresses are sent.
import { paths } from '#src/lib/paths.ts'

/** What the link says, as the operations name it. */
export interface ChannelLink {
  readonly channel_id: number
  readonly secret: string
}

const key = 'relaydeck.channel-invite'

/** Takes the link out of the address, else the one that was taken before; null without any. */
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

/** The invitation is answered. */
export const dropLink = (): void => sessionStorage.removeItem(key)

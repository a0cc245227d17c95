// Badges, roles and emotes of Twitch as both of its clients name them.
import type { ChatBadge, ChatEntity, ChatRole, PlatformMessage } from '#server/core/chat.ts'

const roles: Readonly<Record<string, ChatRole>> = {
  broadcaster: 'owner',
  moderator: 'moderator',
  lead_moderator: 'moderator',
  vip: 'vip',
  subscriber: 'member',
  founder: 'member',
  'bot-badge': 'bot',
}

/** Returns badges and roles. @param badges versions by set name */
export function marksOf(badges: Iterable<readonly [string, string]>): { badges: ChatBadge[]; roles: ChatRole[] } {
  const all = [...badges]
  return {
    badges: all.map(([set, version]) => ({ id: `${set}/${version}`, title: set.replaceAll('_', ' ') })),
    roles: all.flatMap(([set]) => roles[set] ?? []),
  }
}

/** Emoji with its image (dev.twitch.tv/docs/chat/send-receive-messages, emotes). */
export const emoteOf = (id: string, name: string): ChatEntity => ({
  type: 'emoji',
  id,
  name,
  image: `https://static-cdn.jtvnw.net/emoticons/v2/${encodeURIComponent(id)}/default/dark/1.0`,
})

/** Bits of a message; nothing without them. */
export const bitsOf = (bits: number): Partial<PlatformMessage> =>
  bits > 0 ? { kind: 'paid', paid: { amount: bits, currency: 'bits', text: `${bits} bits` } } : {}

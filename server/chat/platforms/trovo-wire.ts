// Frames and messages of Trovo's chat (developer.trovo.live/docs/Chat.html), and messages as events.
import * as z from 'zod/mini'
import {
  type ChatEntity,
  type ChatEvent,
  type ChatRole,
  type ChatSender,
  type PlatformMessage,
  textOfEntities,
} from '#server/core/chat.ts'
import { jsonOf } from '#server/core/provider-http.ts'
import { splitText } from './split-text.ts'

const text = z._default(z.string(), '')
const texts = z._default(z.nullable(z.array(z.string())), null)
const Id = z.union([z.int(), z.string()])

/** A frame of the socket. `channel_info` is missing in the frame of recent messages that follows the connection. */
export const Frame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('RESPONSE'), nonce: text, error: text }),
  // Seconds until the next ping.
  z.object({ type: z.literal('PONG'), data: z.object({ gap: z.number() }) }),
  z.object({
    type: z.literal('CHAT'),
    channel_info: z.optional(z.unknown()),
    data: z.object({ chats: z._default(z.nullable(z.array(z.unknown())), null) }),
  }),
])

/** A message. `content` of spells is JSON. */
export const Chat = z.object({
  type: z.int(),
  content: text,
  message_id: z.string().check(z.minLength(1), z.maxLength(120)),
  nick_name: text,
  user_name: text,
  sender_id: z._default(z.nullable(Id), null),
  avatar: text,
  medals: texts,
  roles: texts,
  /** Seconds since 1970. */
  send_time: z._default(z.number(), 0),
})
export type Chat = z.output<typeof Chat>

const Spell = z.object({
  gift: z.string(),
  num: z._default(z.number(), 1),
  gift_value: z._default(z.number(), 0),
  value_type: text,
})

/** Kinds of the types that are shown. Joins, follows, activities and changes of the stream are left out. */
const kinds: Readonly<Record<number, PlatformMessage['kind']>> = {
  // Messages, and those with a spell's look.
  0: 'message',
  6: 'message',
  7: 'message',
  8: 'message',
  9: 'message',
  // Spells; those for mana, which viewers earn by watching, are notices.
  5: 'paid',
  5009: 'paid',
  // Subscriptions, and gifted ones: their number, or the recipient after its id.
  5001: 'member',
  5005: 'member',
  5006: 'member',
  5008: 'raid',
}
const roles: Readonly<Record<string, ChatRole>> = {
  streamer: 'owner',
  mod: 'moderator',
  supermod: 'moderator',
  editor: 'moderator',
  subscriber: 'member',
  vip: 'vip',
}

/** User names, which commands take; the id of an author without one is its number. */
export const userName = /^[\w.-]{1,64}$/

/** The connected account. */
export interface TrovoUser {
  readonly userId: string
  readonly userName: string
}

/** Context of a reader. */
export interface TrovoReading {
  readonly own: TrovoUser | null
  /** Images of emotes by name. */
  readonly emotes: ReadonlyMap<string, string>
}

/**
 * Converts a message.
 * @param more `isLate`: of the recent messages
 * @returns null for a type that is not shown
 */
export function trovoEvent(chat: Chat, { own, emotes }: TrovoReading, more: { readonly isLate: boolean }) {
  const known = kinds[chat.type]
  if (!known) return null
  const spell = known === 'paid' ? spellOf(chat.content) : null
  const entities = spell ? [{ type: 'text' as const, text: spell.text }] : entitiesOf(wordsOf(chat), emotes)
  const kind = known === 'paid' && !spell?.isPaid ? 'notice' : known
  const number = String(chat.sender_id ?? '')
  const isOwn = own !== null && (number === own.userId || chat.user_name === own.userName)
  const message: PlatformMessage = {
    // Deletion takes both ids.
    id: `${chat.message_id}:${number}`,
    kind,
    text: textOfEntities(entities),
    entities,
    sender: senderOf(chat, number),
    createdAt: new Date(chat.send_time * 1000),
    ...(spell?.isPaid ? { paid: { amount: spell.amount, currency: spell.currency, text: spell.text } } : {}),
    ...(more.isLate ? { late: true as const } : {}),
    ...(isOwn ? { own: true as const } : {}),
  }
  return { is: 'message', message, cursor: String(chat.send_time) } satisfies ChatEvent
}

function senderOf(
  { user_name: name, nick_name: nick, avatar, medals, roles: names }: Chat,
  number: string,
): ChatSender {
  const isNamed = userName.test(name)
  return {
    id: isNamed ? name : number,
    name: nick || name,
    ...(isNamed ? { login: name } : {}),
    ...(avatar === '' ? {} : { avatar }),
    badges: (medals ?? []).filter((medal) => medal !== '').map((medal) => ({ id: medal, title: medal })),
    roles: (names ?? []).flatMap((role) => roles[role.toLowerCase()] ?? []),
  }
}

/** Gifted subscriptions have a number or a recipient, and no text. */
function wordsOf({ type, content }: Chat): string {
  if (type === 5005) return `Gifted subscriptions: ${content}`
  if (type === 5006) return `Gifted a subscription to ${content.split(',').slice(1).join(',')}`
  return content
}

function spellOf(content: string) {
  const { data } = Spell.safeParse(jsonOf(content))
  if (!data) return null
  const { gift, num, gift_value, value_type } = data
  const amount = Math.round(num * gift_value)
  const isPaid = value_type.toLowerCase() !== 'mana' && Number.isSafeInteger(amount)
  return { text: num > 1 ? `${gift} × ${num}` : gift, isPaid, amount, currency: value_type.toLowerCase() || 'elixir' }
}

/** Splits a text at emotes, `:name`. */
const entitiesOf = (content: string, emotes: TrovoReading['emotes']): ChatEntity[] =>
  splitText(content, /:([\w-]{1,64})/g, ([name, id = '']) => {
    const image = emotes.get(id)
    return image === undefined ? null : { type: 'emoji', id, name, image }
  })

const Emote = z.object({ name: z.string().check(z.maxLength(64)), url: z.string().check(z.maxLength(500)) })
const emotesMax = 5_000

/** Emotes of the platform and of a channel. */
export const Emotes = z.object({
  channels: z.object({
    customizedEmotes: z.optional(
      z.nullable(
        z.object({
          channel: z.optional(z.nullable(z.array(z.object({ emotes: z.optional(z.nullable(z.array(z.unknown()))) })))),
        }),
      ),
    ),
    eventEmotes: z.optional(z.nullable(z.array(z.unknown()))),
    globalEmotes: z.optional(z.nullable(z.array(z.unknown()))),
  }),
})

/** Returns the images of emotes by name; those of the channel come last and replace others. */
export function emoteImages({ channels }: z.output<typeof Emotes>): ReadonlyMap<string, string> {
  const own = channels.customizedEmotes?.channel?.flatMap(({ emotes }) => emotes ?? []) ?? []
  const all = [...(channels.globalEmotes ?? []), ...(channels.eventEmotes ?? []), ...own].slice(-emotesMax)
  return new Map(
    all.flatMap((one): [string, string][] => {
      const { data } = Emote.safeParse(one)
      return data ? [[data.name, data.url]] : []
    }),
  )
}

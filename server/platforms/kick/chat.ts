// Chat of Kick: messages arrive by webhook into the inbox of the channel (server/domain/platforms/kick-webhook.ts), and are
// written by the public API (docs.kick.com/apis/chat, …/apis/moderation).
import * as z from 'zod/mini'
import { ChatSendError } from '#server/core/chat-errors.ts'
import {
  type ChatEntity,
  type ChatEvent,
  chatPageName,
  type ChatPlace,
  type ChatRole,
  type PlatformMessage,
  textOfEntities,
} from '#server/core/chat.ts'
import type { ProviderApi } from '#server/core/platform-api.ts'
import { kick as provider } from './platform.ts'
import { openInbox, readInbox } from '#server/domain/platforms/inbox.ts'
import { kickInbox } from './webhook.ts'
import { type ChatContext, ChatRefused, type ChatSource, type ReaderContext } from '#server/chat/port.ts'
import { asApplication, asCommand, asReader, ownIdOf, withPlaceAccount } from '#server/chat/account-api.ts'
import { splitText } from '#server/chat/split-text.ts'

const base = 'https://api.kick.com/public/v1'
const event = 'chat.message.sent'
/** Longest timeout, minutes. */
const minutesMax = 10_080

const Person = z.object({
  user_id: z.int(),
  username: z._default(z.string(), ''),
  profile_picture: z._default(z.nullable(z.string()), null),
  channel_slug: z._default(z.nullable(z.string()), null),
  identity: z._default(
    z.nullable(
      z.object({
        username_color: z._default(z.nullable(z.string()), null),
        badges: z._default(z.nullable(z.array(z.object({ text: z.string(), type: z.string() }))), null),
      }),
    ),
    null,
  ),
})
const Message = z.object({
  message_id: z.string().check(z.minLength(1)),
  replies_to: z._default(z.nullable(z.object({ message_id: z.string() })), null),
  sender: Person,
  content: z.string(),
  created_at: z._default(z.string(), ''),
})
const Channels = z.object({ data: z.array(z.object({ broadcaster_user_id: z.int(), slug: z.string() })) })
const Subscription = z.object({ event: z.optional(z.string()), broadcaster_user_id: z.optional(z.int()) })
const Subscribed = z.object({ data: z._default(z.array(z.object({ error: z.optional(z.nullable(z.string())) })), []) })

async function* open(ctx: ReaderContext): AsyncIterable<ChatEvent> {
  const { db, config } = ctx.services
  if (config.publicUrl === null) throw new ChatRefused('setup', 'Webhooks of Kick need PUBLIC_URL')
  const id = await asReader(() => ask(ctx, (api) => channelIdOf(api, ctx.place)))
  if (id === null) throw new ChatRefused('page', 'The channel of Kick is unknown')
  const ownId = await ownIdOf(ctx)
  await asReader(() => openInbox(db, kickInbox(id)))
  await asReader(() => ask(ctx, (api) => subscribe(api, id)))
  yield { is: 'state', state: 'reading' }
  for await (const body of readInbox(db, kickInbox(id), ctx.signal)) {
    const { data } = Message.safeParse(body)
    if (!data) ctx.malformed()
    else yield { is: 'message', message: messageOf(data, { ownId, ownerId: id }) }
  }
}

/** Subscribes to the messages of a channel, unless the registration has the subscription. @throws ChatRefused */
async function subscribe(api: ProviderApi, id: number): Promise<void> {
  const url = `${base}/events/subscriptions`
  const { data } = await api.call({ url }, z.object({ data: z._default(z.nullable(z.array(Subscription)), null) }))
  if (data?.some((one) => one.event === event && one.broadcaster_user_id === id)) return
  const json = { broadcaster_user_id: id, events: [{ name: event, version: 1 }], method: 'webhook' }
  const subscribed = await api.call({ url, json }, Subscribed)
  const fault = subscribed.data.find(({ error }) => error)
  if (fault) throw new ChatRefused('forbidden', 'Kick refused the subscription')
}

function messageOf(
  data: z.output<typeof Message>,
  by: { readonly ownId: string | null; readonly ownerId: number },
): PlatformMessage {
  const { sender, replies_to: reply } = data
  const badges = sender.identity?.badges ?? []
  const entities = entitiesOf(data.content)
  const color = sender.identity?.username_color
  return {
    id: data.message_id,
    kind: 'message',
    text: textOfEntities(entities),
    entities,
    sender: {
      id: String(sender.user_id),
      name: sender.username,
      ...(sender.channel_slug ? { login: sender.channel_slug } : {}),
      ...(sender.profile_picture ? { avatar: sender.profile_picture } : {}),
      ...(color ? { color } : {}),
      badges: badges.map(({ type, text }) => ({ id: type, title: text })),
      roles: rolesOf(
        sender.user_id === by.ownerId,
        badges.map(({ type }) => type),
      ),
    },
    createdAt: new Date(data.created_at),
    ...(reply ? { replyTo: reply.message_id } : {}),
    ...(String(sender.user_id) === by.ownId ? { own: true as const } : {}),
  }
}

const roles: Readonly<Record<string, ChatRole>> = {
  broadcaster: 'owner',
  moderator: 'moderator',
  vip: 'vip',
  subscriber: 'member',
  bot: 'bot',
}
const rolesOf = (isOwner: boolean, types: readonly string[]): ChatRole[] => [
  ...new Set([...(isOwner ? ['owner' as const] : []), ...types.flatMap((type) => roles[type] ?? [])]),
]

/** Splits a text at emotes, `[emote:37226:KEKW]`. */
const entitiesOf = (text: string): ChatEntity[] =>
  splitText(text, /\[emote:(\d{1,12}):([^\]:]{1,100})\]/g, ([, id = '', name = '']) => ({
    type: 'emoji',
    id,
    name,
    image: `https://files.kick.com/emotes/${id}/fullsize`,
  }))

const command = <T>(ctx: ChatContext, run: (api: ProviderApi, id: number) => Promise<T>): Promise<T> =>
  asCommand(() =>
    withPlaceAccount(ctx.services, ctx.place, provider, async (api) => {
      const id = await channelIdOf(api, ctx.place)
      if (id === null) throw new ChatSendError('page', 'The channel of Kick is unknown.')
      return await run(api, id)
    }),
  )

/** Kick. Reading needs the registration and a public address, writing the account. */
export const chat: ChatSource = {
  open,

  send: (ctx, { text, replyTo }) =>
    command(ctx, async (api, id) => {
      const json = { broadcaster_user_id: id, content: text, type: 'user', reply_to_message_id: replyTo }
      const answer = z.object({ data: z.object({ is_sent: z.boolean(), message_id: z._default(z.string(), '') }) })
      const { data } = await api.call({ url: `${base}/chat`, json }, answer)
      if (!data.is_sent) throw new ChatSendError('rejected', 'Kick did not send the message.')
      return { id: data.message_id || null }
    }),

  remove: (ctx, messageId) =>
    command(ctx, async (api) => {
      await api.call({ url: `${base}/chat/${encodeURIComponent(messageId)}`, method: 'DELETE' }, z.unknown())
    }),

  restrict: (ctx, senderId, seconds) =>
    command(ctx, async (api, id) => {
      const duration = seconds === null ? undefined : Math.min(minutesMax, Math.max(1, Math.ceil(seconds / 60)))
      const json = { broadcaster_user_id: id, user_id: Number(senderId), duration }
      await api.call({ url: `${base}/moderation/bans`, json }, z.unknown())
      return {}
    }),

  lift: (ctx, senderId) =>
    command(ctx, async (api, id) => {
      const json = { broadcaster_user_id: id, user_id: Number(senderId) }
      await api.call({ url: `${base}/moderation/bans`, method: 'DELETE', json }, z.unknown())
    }),
}

/** The id of the channel: known, or by the name in the address of its page. */
async function channelIdOf(api: ProviderApi, { externalId, page }: ChatPlace): Promise<number | null> {
  if (/^[1-9]\d{0,14}$/.test(externalId)) return Number(externalId)
  const slug = chatPageName(page)
  if (slug === null) return null
  const { data } = await api.call({ url: `${base}/channels`, query: { slug } }, Channels)
  return data[0]?.broadcaster_user_id ?? null
}

/** Calls with the account of the place, or as the registered application. */
const ask = <T>({ services, place }: ChatContext, call: (api: ProviderApi) => Promise<T>): Promise<T> =>
  place.accountId === null ? asApplication(services, provider, call) : withPlaceAccount(services, place, provider, call)

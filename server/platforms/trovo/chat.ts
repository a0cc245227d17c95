// Chat of Trovo: socket with a token of the channel, which the registration of the service receives for every channel
// (developer.trovo.live/docs/Chat.html); written and moderated by the open platform (…/docs/APIs.html).
import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import * as z from 'zod/mini'
import { ChatSendError } from '#server/core/chat-errors.ts'
import {
  type ChatEntity,
  type ChatEvent,
  type ChatPlace,
  type ChatRole,
  type ChatSender,
  type PlatformMessage,
  textOfEntities,
} from '#server/core/chat.ts'
import { jsonOf, providerUrl } from '#server/core/provider-http.ts'
import { registrationOf } from '#server/domain/account/oauth.ts'
import { type ProviderApi, providerApi } from '#server/core/platform-api.ts'
import { trovo as provider } from './platform.ts'
import {
  type ChatContext,
  ChatLost,
  ChatRefused,
  type ChatServices,
  type ChatSource,
  type ReaderContext,
} from '#server/chat/port.ts'
import { asCommand, asReader, withPlaceAccount, withScopedAccount } from '#server/chat/account-api.ts'
import { type PushStream, pushStream } from '#server/chat/push-stream.ts'
import { splitText } from '#server/chat/split-text.ts'

// Frames and messages of Trovo's chat (developer.trovo.live/docs/Chat.html), and messages as events.

const text = z._default(z.string(), '')
const texts = z._default(z.nullable(z.array(z.string())), null)
const Id = z.union([z.int(), z.string()])

/** A frame of the socket. `channel_info` is missing in the frame of recent messages that follows the connection. */
const Frame = z.discriminatedUnion('type', [
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
const Chat = z.object({
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
type Chat = z.output<typeof Chat>

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
const userName = /^[\w.-]{1,64}$/

/** The connected account. */
interface TrovoUser {
  readonly userId: string
  readonly userName: string
}

/** Context of a reader. */
interface TrovoReading {
  readonly own: TrovoUser | null
  /** Images of emotes by name. */
  readonly emotes: ReadonlyMap<string, string>
}

/**
 * Converts a message.
 * @param more `isLate`: of the recent messages
 * @returns null for a type that is not shown
 */
function trovoEvent(chat: Chat, { own, emotes }: TrovoReading, more: { readonly isLate: boolean }) {
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
const Emotes = z.object({
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
function emoteImages({ channels }: z.output<typeof Emotes>): ReadonlyMap<string, string> {
  const own = channels.customizedEmotes?.channel?.flatMap(({ emotes }) => emotes ?? []) ?? []
  const all = [...(channels.globalEmotes ?? []), ...(channels.eventEmotes ?? []), ...own].slice(-emotesMax)
  return new Map(
    all.flatMap((one): [string, string][] => {
      const { data } = Emote.safeParse(one)
      return data ? [[data.name, data.url]] : []
    }),
  )
}

const base = 'https://open-api.trovo.live/openplatform'
const socketUrl = 'https://open-chat.trovo.live/chat'
/** Wait for the connection and its authentication, milliseconds. */
const authMs = 15_000
/** Distance of pings, seconds: Trovo changes it in each answer. */
const gap = { first: 30, min: 5, max: 120 } as const

const Users = z.object({ users: z.array(z.object({ channel_id: z.union([z.string(), z.int()]) })) })
const Token = z.object({ token: z.string().check(z.minLength(1)) })
const Done = z.object({ is_success: z.boolean(), display_msg: z._default(z.string(), '') })
const OwnUser = z.object({ userId: z.string(), userName: z.string() })

async function* open(ctx: ReaderContext, cursor: string | null): AsyncIterable<ChatEvent> {
  const { services, place } = ctx
  const own =
    place.accountId === null
      ? null
      : await asReader(() =>
          withPlaceAccount(services, place, provider, (api) => api.call({ url: `${base}/getuserinfo` }, OwnUser)),
        )
  const api = await asReader(async () => publicApi(services))
  const channelId = await asReader(() => channelIdOf(api, place))
  if (channelId === null) throw new ChatRefused('page', 'The channel of Trovo is unknown')
  const emotes = await emotesOf(api, channelId)
  // The token is valid for 20 seconds.
  const { token } = await asReader(() => api.call({ url: `${base}/chat/channel-token/${channelId}` }, Token))
  const events = pushStream<ChatEvent>(ctx.signal)
  const close = connect({ ctx, own, emotes, events, since: cursor === null ? null : Number(cursor) }, token)
  try {
    yield* events
  } finally {
    close()
  }
}

interface Reading extends TrovoReading {
  readonly ctx: ReaderContext
  readonly events: PushStream<ChatEvent>
  /** Time of the last message that was read, seconds; null: read from now on. */
  readonly since: number | null
}

/** Connects and authenticates. @returns a function that closes the connection */
function connect(reading: Reading, token: string): () => void {
  const { ctx, events } = reading
  const address = providerUrl(ctx.services.config, 'trovo', socketUrl).replace(/^http/, 'ws')
  const socket = new WebSocket(address, { maxPayload: 1024 * 1024, handshakeTimeout: authMs })
  const nonce = randomUUID()
  let isReading = false
  let heardAt = performance.now()
  let seconds: number = gap.first
  let timer: NodeJS.Timeout

  const close = () => {
    clearTimeout(timer)
    socket.removeAllListeners('message')
    socket.terminate()
  }
  const lose = (message: string) => {
    events.end(new ChatLost(message))
    close()
  }
  const ping = () => {
    if (performance.now() - heardAt > 3 * seconds * 1000) return lose('Trovo no longer answers')
    socket.send(JSON.stringify({ type: 'PING', nonce: randomUUID() }))
    timer = setTimeout(ping, seconds * 1000)
  }
  timer = setTimeout(() => lose('The authentication timed out'), authMs)
  socket.on('error', (error) => lose(`Connection failed: ${error.message}`))
  socket.on('close', () => lose('Trovo closed the connection'))
  socket.on('open', () => socket.send(JSON.stringify({ type: 'AUTH', nonce, data: { token } })))
  socket.on('message', (data: Buffer) => {
    heardAt = performance.now()
    const { data: frame } = Frame.safeParse(jsonOf(data.toString()))
    if (!frame) return ctx.malformed()
    if (frame.type === 'PONG') seconds = Math.min(gap.max, Math.max(gap.min, frame.data.gap || gap.first))
    else if (frame.type === 'CHAT' && isReading) take(frame, reading)
    else if (frame.type === 'CHAT') ctx.malformed()
    else if (frame.nonce === nonce && !isReading) {
      if (frame.error !== '') return lose('Trovo refused the token of the chat')
      isReading = true
      clearTimeout(timer)
      events.push({ is: 'state', state: 'reading' })
      ping()
    }
  })
  ctx.signal.addEventListener('abort', close, { once: true })
  return close
}

/** Pushes the messages of a frame: of the recent ones those after the cursor, which repeats are dropped from when stored. */
function take(frame: Extract<z.output<typeof Frame>, { type: 'CHAT' }>, reading: Reading): void {
  const { ctx, events, since } = reading
  const isRecent = frame.channel_info === undefined
  const chats = (frame.data.chats ?? []).flatMap((one) => {
    const { data } = Chat.safeParse(one)
    if (!data) ctx.malformed()
    return data ?? []
  })
  if (isRecent && since === null) return
  const oldest = Math.min(...chats.map(({ send_time: time }) => time))
  // Recent messages that begin after the cursor do not reach back to it.
  if (isRecent && since !== null && chats.length > 0 && oldest > since)
    events.push({ is: 'gap', since: new Date(since * 1000), reason: 'lost' })
  for (const chat of chats) {
    if (isRecent && chat.send_time < (since ?? 0)) continue
    const event = trovoEvent(chat, reading, { isLate: isRecent })
    if (event) events.push(event)
  }
}

/** The API as the registered application. @throws RuleError `ProviderNotConfigured` */
function publicApi(services: ChatServices): ProviderApi {
  registrationOf(services.config, 'trovo')
  const headers = (_: string, clientId: string) => ({ 'client-id': clientId })
  return providerApi(services, { provider: 'trovo', headers }, '')
}

/** The id of the channel: known, or by the name in the address of its page, `/s/Name` or `/Name`. */
async function channelIdOf(api: ProviderApi, { externalId, page }: ChatPlace): Promise<string | null> {
  if (/^[1-9]\d{0,18}$/.test(externalId)) return externalId
  const name = URL.canParse(page) ? /^\/(?:s\/)?([\w.-]{1,64})/.exec(new URL(page).pathname)?.[1] : undefined
  if (name === undefined) return null
  const { users } = await api.call({ url: `${base}/getusers`, json: { user: [name] } }, Users)
  const id = String(users[0]?.channel_id ?? '')
  return /^[1-9]\d{0,18}$/.test(id) ? id : null
}

/** Returns the images of the platform's and the channel's emotes; none when Trovo does not tell them. */
async function emotesOf(api: ProviderApi, channelId: string): Promise<ReadonlyMap<string, string>> {
  const json = { emote_type: 0, channel_id: [channelId] }
  return await api.call({ url: `${base}/getemotes`, json }, Emotes).then(emoteImages, () => new Map())
}

/** Runs a command with the account of the place. @param run `channelId`: of the chat */
const command = <T>(
  ctx: ChatContext,
  scopes: readonly string[],
  run: (api: ProviderApi, channelId: string) => Promise<T>,
): Promise<T> =>
  asCommand(() => withScopedAccount(ctx, provider, scopes, (api, ownId) => run(api, ctx.place.externalId || ownId)))

/** Runs a command of the chat, `ban name 60s`. */
async function perform(api: ProviderApi, channelId: string, line: string): Promise<void> {
  const json = { channel_id: Number(channelId), command: line }
  const { is_success: isDone, display_msg: words } = await api.call({ url: `${base}/channels/command`, json }, Done)
  if (isDone) return
  const isForbidden = /permission|authori[sz]ed|not allowed/i.test(words)
  throw new ChatSendError(isForbidden ? 'forbidden' : 'rejected', 'Trovo refused the command.')
}

/** The name of an author in a command. @throws ChatSendError for an author without one */
function named(senderId: string): string {
  if (!userName.test(senderId)) throw new ChatSendError('gone', 'The name of the author is unknown.')
  return senderId
}

/** Trovo. Reading needs the registration of the service, writing the account. */
export const chat: ChatSource = {
  open,

  // The response has no id; the echo is matched by author and text. Without `channel_id` the account writes to its own channel.
  send: (ctx, { text: content }) =>
    command(ctx, ['chat_send_self', 'send_to_my_channel'], async (api, channelId) => {
      const json = { content, channel_id: Number(channelId) }
      await api.call({ url: `${base}/chat/send`, json }, z.unknown())
      return { id: null }
    }),

  remove: (ctx, messageId) =>
    command(ctx, ['manage_messages'], async (api, channelId) => {
      const [id = '', sender = ''] = messageId.split(/:(?=\d*$)/)
      const path = [channelId, 'messages', id, 'users', sender].map(encodeURIComponent).join('/')
      await api.call({ url: `${base}/channels/${path}`, method: 'DELETE' }, z.unknown())
    }),

  restrict: (ctx, senderId, seconds) =>
    command(ctx, ['manage_messages'], async (api, channelId) => {
      await perform(api, channelId, `ban ${named(senderId)}${seconds === null ? '' : ` ${seconds}s`}`)
      return {}
    }),

  lift: (ctx, senderId) =>
    command(ctx, ['manage_messages'], (api, channelId) => perform(api, channelId, `unban ${named(senderId)}`)),
}

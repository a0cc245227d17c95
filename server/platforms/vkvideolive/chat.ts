// Chat of VK Video Live: DevAPI (dev.live.vkvideo.ru/docs/method/chat) and its Centrifugo (…/docs/pubsub/websocket).
import { Centrifuge } from 'centrifuge'
import { WebSocket } from 'ws'
import * as z from 'zod/mini'
import { ChatSendError, type ChatSendReason } from '#server/core/chat-errors.ts'
import {
  type ChatEntity,
  type ChatEvent,
  chatPageName,
  type ChatPlace,
  type ChatRole,
  type PlatformMessage,
  textOfEntities,
} from '#server/core/chat.ts'
import { providerUrl } from '#server/core/provider-http.ts'
import { registrationOf } from '#server/domain/account/oauth.ts'
import { type ApiConventions, type ProviderApi, providerApi } from '#server/core/platform-api.ts'
import { type ChatContext, ChatLost, ChatRefused, type ChatSource, type ReaderContext } from '#server/chat/port.ts'
import { asCommand, asReader, ownIdOf, withPlaceAccount } from '#server/chat/account-api.ts'
import { type PushStream, pushStream } from '#server/chat/push-stream.ts'

// Messages of VK Video Live on the wire (dev.live.vkvideo.ru/docs/schemas/chat), and as events.

const Part = z.object({
  text: z.optional(z.nullable(z.object({ content: z.string() }))),
  link: z.optional(z.nullable(z.object({ content: z._default(z.string(), ''), url: z.string() }))),
  mention: z.optional(z.nullable(z.object({ id: z.number(), nick: z._default(z.string(), '') }))),
  smile: z.optional(
    z.nullable(z.object({ id: z.string(), name: z._default(z.string(), ''), medium_url: z._default(z.string(), '') })),
  ),
})
const Picture = z.object({ id: z.string(), name: z._default(z.string(), ''), small_url: z._default(z.string(), '') })
const Author = z.object({
  id: z.number(),
  nick: z.string(),
  avatar_url: z._default(z.string(), ''),
  nick_color: z.optional(z.int()),
  is_owner: z._default(z.boolean(), false),
  is_moderator: z._default(z.boolean(), false),
  badges: z._default(z.nullable(z.array(Picture)), []),
  roles: z._default(z.nullable(z.array(Picture)), []),
})
/** A message of a chat. */
const Message = z.object({
  id: z.number(),
  created_at: z.number(),
  is_private: z._default(z.boolean(), false),
  author: Author,
  parts: z.array(Part),
})
type Message = z.output<typeof Message>
/** Publications of a chat channel. */
const Sent = z.object({
  type: z.literal('channel_chat_message_send'),
  data: z.object({ chat_message: Message }),
})
const Deleted = z.object({
  type: z.literal('channel_chat_message_delete'),
  data: z.object({ chat_message: z.object({ id: z.number() }) }),
})

/** Colours of names by `nick_color`, as the player shows them. */
const colors =
  'd66e34 b8aaff 1d90ff 9961f9 59a840 e73629 de6489 20bba1 f8b301 0099bb 7bbeff e542ff a36c59 8ba259 00a9ff a20bff'
    .split(' ')
    .map((color) => `#${color}`)

/**
 * Returns the event of a message.
 * @param more `ownId`: id of the connected account; `isLate`: from the history
 */
function messageEvent(
  { id, created_at, author, parts }: Message,
  { ownId, isLate }: { readonly ownId: string | null; readonly isLate: boolean },
): ChatEvent {
  const entities = parts.flatMap(entitiesOf)
  const { nick_color: color } = author
  const roles: ChatRole[] = [
    ...(author.is_owner ? ['owner' as const] : []),
    ...(author.is_moderator ? ['moderator' as const] : []),
  ]
  const message: PlatformMessage = {
    id: String(id),
    kind: 'message',
    text: textOfEntities(entities),
    entities,
    sender: {
      id: String(author.id),
      name: author.nick,
      avatar: author.avatar_url,
      ...(color === undefined || colors[color] === undefined ? {} : { color: colors[color] }),
      badges: [...(author.badges ?? []), ...(author.roles ?? [])].map((one) => ({
        id: one.id,
        title: one.name,
        image: one.small_url,
      })),
      roles,
    },
    createdAt: new Date(created_at * 1000),
    ...(isLate ? { late: true as const } : {}),
    ...(String(author.id) === ownId ? { own: true as const } : {}),
  }
  return { is: 'message', message, cursor: String(id) }
}

function entitiesOf({ text, link, mention, smile }: z.output<typeof Part>): ChatEntity[] {
  // Messages end with a part that is a line feed.
  if (text) return text.content === '\n' ? [] : [{ type: 'text', text: text.content }]
  if (link) return [{ type: 'link', text: link.content || link.url, url: link.url }]
  if (mention) return [{ type: 'mention', text: `@${mention.nick}`, id: String(mention.id) }]
  if (smile) return [{ type: 'emoji', id: smile.id, name: smile.name || smile.id, image: smile.medium_url }]
  return []
}

const base = 'https://apidev.live.vkvideo.ru/v1'
const socketUrl = 'https://pubsub-dev.live.vkvideo.ru/connection/websocket?format=json&cf_protocol_version=v2'
/** Most messages that the history returns. */
const historyMax = 200
/** Wait for the subscription, milliseconds. */
const subscribeMs = 15_000

const Typed = z.object({ type: z.string() })
const dataOf = <T extends z.ZodMiniType>(data: T) => z.object({ data })
const Channel = dataOf(
  z.object({
    channel: z.object({ web_socket_channels: z.optional(z.nullable(z.object({ chat: z.optional(z.string()) }))) }),
    stream: z.optional(z.nullable(z.object({ id: z._default(z.string(), '') }))),
  }),
)
const History = dataOf(z.object({ chat_messages: z._default(z.array(z.unknown()), []) }))

const Refusal = z.object({ error: z.string() })
const conventions: ApiConventions = {
  provider: 'vkvideolive',
  headers: (token) => ({ authorization: `Bearer ${token}` }),
  faultOf(body) {
    const { data } = Refusal.safeParse(body)
    return data ? (data.error === 'unauthorized' ? 'unauthorized' : { reason: data.error }) : null
  },
}
const refusals: Readonly<Record<string, ChatSendReason>> = {
  message_too_long: 'too_long',
  same_message: 'rejected',
  send_too_fast: 'too_fast',
  forbidden: 'forbidden',
}

interface Reading {
  readonly ctx: ReaderContext
  readonly ownId: string | null
  readonly events: PushStream<ChatEvent>
}

async function* open(ctx: ReaderContext, cursor: string | null): AsyncIterable<ChatEvent> {
  const url = channelOf(ctx.place)
  if (url === null) throw new ChatRefused('page', 'The channel of VK Video Live is unknown')
  const { data } = await asReader(() => ask(ctx, (api) => api.call(channelRequest(url), Channel)))
  const chat = data.channel.web_socket_channels?.chat
  if (chat === undefined) throw new ChatRefused('no_chat', 'The channel has no chat')
  const since = new Date()
  const events = pushStream<ChatEvent>(ctx.signal)
  const reading = { ctx, events, ownId: await ownIdOf(ctx) }
  const close = await asReader(() => subscribe(reading, chat))
  try {
    const history = await asReader(() =>
      ask(ctx, (api) => api.call({ url: `${base}/chat/messages`, query: historyQuery(url) }, History)),
    )
    yield { is: 'state', state: 'reading' }
    yield* caughtUp(history.data.chat_messages, cursor, since, reading)
    yield* events
  } finally {
    close()
  }
}

/** Messages of the history after the cursor. Without a cursor none: the reader begins with its connection. */
function* caughtUp(rows: readonly unknown[], cursor: string | null, since: Date, { ctx, ownId }: Reading) {
  const last = Number(cursor ?? Number.NaN)
  if (Number.isNaN(last)) return
  const messages = rows.flatMap((row) => readMessage(row, ctx)).toSorted((a, b) => a.id - b.id)
  const oldest = messages[0]
  // A full page that begins after the cursor does not reach back to it.
  if (rows.length >= historyMax && oldest && oldest.id > last) {
    const gap: ChatEvent = {
      is: 'gap',
      since: new Date(Math.min(oldest.created_at * 1000, since.getTime())),
      reason: 'lost',
    }
    yield gap
  }
  for (const message of messages) if (message.id > last) yield messageEvent(message, { ownId, isLate: true })
}

function readMessage(row: unknown, ctx: ReaderContext): Message[] {
  const { data } = Message.safeParse(row)
  if (!data) ctx.malformed()
  return data && !data.is_private ? [data] : []
}

/** Connects, and subscribes to the chat. @returns a function that closes the connection */
async function subscribe(reading: Reading, channel: string) {
  const { ctx, events } = reading
  const getToken = async () =>
    (await ask(ctx, (api) => api.call({ url: `${base}/websocket/token` }, dataOf(z.object({ token: z.string() })))))
      .data.token
  const address = providerUrl(ctx.services.config, 'vkvideolive', socketUrl).replace(/^http/, 'ws')
  const client = new Centrifuge(address, { token: await getToken(), websocket: LimitedSocket })
  const subscription = client.newSubscription(channel)
  const close = () => client.disconnect()
  ctx.signal.addEventListener('abort', close, { once: true })
  const lose = (message: string) => {
    events.end(new ChatLost(message))
    close()
  }
  try {
    await new Promise<void>((done, refuse) => {
      const timer = setTimeout(() => refuse(new ChatLost('The subscription timed out')), subscribeMs)
      const fail = (error: Error) => {
        clearTimeout(timer)
        refuse(error)
      }
      subscription.on('subscribed', () => {
        clearTimeout(timer)
        done()
      })
      subscription.on('unsubscribed', ({ reason }) => fail(new ChatLost(`Unsubscribed: ${reason}`)))
      client.on('disconnected', ({ reason }) => fail(new ChatLost(`Disconnected: ${reason}`)))
      ctx.signal.addEventListener('abort', () => fail(new ChatLost('Aborted')), { once: true })
      // The client reconnects by itself; a reader is connected once.
      client.on('connecting', ({ code, reason }) => code !== 0 && fail(new ChatLost(`Connection failed: ${reason}`)))
      client.on('error', () => undefined)
      subscription.on('error', () => undefined)
      subscription.on('publication', ({ data }) => take(data, reading))
      subscription.subscribe()
      client.connect()
    })
  } catch (error) {
    close()
    throw error
  }
  client.on('connecting', ({ reason }) => lose(`Connection lost: ${reason}`))
  client.on('disconnected', ({ reason }) => lose(`Disconnected: ${reason}`))
  subscription.on('unsubscribed', ({ reason }) => lose(`Unsubscribed: ${reason}`))
  return close
}

/** Socket with limits, which Centrifuge creates with an address only. */
class LimitedSocket extends WebSocket {
  constructor(address: string, protocols?: string | string[]) {
    super(address, protocols, { maxPayload: 1024 * 1024, handshakeTimeout: 10_000 })
  }
}

function take(data: unknown, { ctx, ownId, events }: Reading): void {
  const sent = Sent.safeParse(data)
  if (sent.success) {
    const { chat_message: message } = sent.data.data
    if (!message.is_private) events.push(messageEvent(message, { ownId, isLate: false }))
    return
  }
  const deleted = Deleted.safeParse(data)
  if (deleted.success) return events.push({ is: 'deleted', id: String(deleted.data.data.chat_message.id) })
  const { data: typed } = Typed.safeParse(data)
  if (!typed || typed.type.startsWith('channel_chat_message_')) ctx.malformed()
}

/** The response has no id; the echo is matched by author and text. */
const send: NonNullable<ChatSource['send']> = ({ services, place }, { text }) =>
  asCommand(
    () =>
      withPlaceAccount(services, place, conventions, async (api) => {
        const url = channelOf(place) ?? ''
        const { stream } = (await api.call(channelRequest(url), Channel)).data
        if (!stream?.id) throw new ChatSendError('no_chat', 'The channel is not live.')
        const query = { channel_url: url, stream_id: stream.id }
        const json = { parts: [{ text: { content: text } }] }
        await api.call({ url: `${base}/chat/message/send`, query, json }, z.unknown())
        return { id: null }
      }),
    ({ reason }) => refusals[reason],
  )

/** VK Video Live. Reading needs no account: the registration of the service may read every chat. */
export const chat: ChatSource = { open, send }

/** The part of the address that names the channel, which the API calls its URL. */
const channelOf = ({ externalId, page }: ChatPlace): string | null => externalId || chatPageName(page)
const channelRequest = (url: string) => ({ url: `${base}/channel`, query: { channel_url: url } })
const historyQuery = (url: string) => ({ channel_url: url, limit: String(historyMax) })

/** Calls with the account of the place, or as the registered application. */
async function ask<T>({ services, place }: ChatContext, call: (api: ProviderApi) => Promise<T>): Promise<T> {
  if (place.accountId !== null) return await withPlaceAccount(services, place, conventions, call)
  const { id, secret } = registrationOf(services.config, 'vkvideolive')
  const basic = Buffer.from(`${id}:${secret}`).toString('base64')
  return await call(providerApi(services, { ...conventions, headers: () => ({ authorization: `Basic ${basic}` }) }, ''))
}

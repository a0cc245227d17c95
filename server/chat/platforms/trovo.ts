// Chat of Trovo: socket with a token of the channel, which the registration of the service receives for every channel
// (developer.trovo.live/docs/Chat.html); written and moderated by the open platform (…/docs/APIs.html).
import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import * as z from 'zod/mini'
import { ChatSendError } from '#server/core/chat-errors.ts'
import type { ChatEvent, ChatPlace } from '#server/core/chat.ts'
import { jsonOf, providerUrl } from '#server/core/provider-http.ts'
import { registrationOf } from '#server/domain/account/oauth.ts'
import { type ProviderApi, providerApi } from '#server/domain/platforms/providers/api.ts'
import { trovo as provider } from '#server/domain/platforms/providers/trovo.ts'
import {
  type ChatContext,
  ChatLost,
  ChatRefused,
  type ChatServices,
  type ChatSource,
  type ReaderContext,
} from '#server/chat/port.ts'
import { asCommand, asReader, withPlaceAccount, withScopedAccount } from './account-api.ts'
import { type PushStream, pushStream } from '#server/chat/push-stream.ts'
import { Chat, emoteImages, Emotes, Frame, trovoEvent, type TrovoReading, userName } from './trovo-wire.ts'

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
async function perform(api: ProviderApi, channelId: string, text: string): Promise<void> {
  const json = { channel_id: Number(channelId), command: text }
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
export const trovo: ChatSource = {
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

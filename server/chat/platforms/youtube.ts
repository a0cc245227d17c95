// Chat of YouTube: streamed with the token of a connected account, or with the key of the service where there is none; polled,
// never under 5 s, where there is no stream (developers.google.com/youtube/v3/live/docs/liveChatMessages/streamList).
import * as z from 'zod/mini'
import { ChatSendError, type ChatSendReason } from '#server/core/chat-errors.ts'
import type { ChatEvent } from '#server/core/chat.ts'
import { jsonOf, ProviderRefusedError, providerUrl, readText } from '#server/core/provider-http.ts'
import type { ProviderApi } from '#server/domain/platforms/providers/api.ts'
import { markQuotaGone } from '#server/domain/platforms/quota.ts'
import { pause } from '#server/core/pause.ts'
import { jsonArrayReader, JsonArrayError } from '#server/chat/json-array.ts'
import {
  type ChatContext,
  ChatLost,
  ChatRefused,
  type ChatSource,
  QuotaGone,
  type ReaderContext,
} from '#server/chat/port.ts'
import { asCommand, asReader, ownIdOf, withPlaceAccount } from './account-api.ts'
import {
  base,
  codeOf,
  conventions,
  type Credentials,
  findChat,
  isRateLimit,
  keyRefusals,
  quotaAware,
  spend,
  units,
} from './youtube-find.ts'
import { Page, youtubeEvent } from './youtube-wire.ts'

/** Least time between two calls that read, milliseconds: each costs 5 units of 10,000 a day. */
const leastMs = 5_000

const Created = z.object({ id: z.string() })

/** Chat of YouTube. */
export const youtube: ChatSource = {
  async *open(ctx, cursor) {
    const { chatId, headers } = await asReader(() => findChat(ctx))
    if (chatId === null) throw new ChatRefused('no_chat', 'YouTube has no live chat for the channel now.')
    const reading: Reading = {
      ctx,
      chatId,
      headers,
      ownId: await ownIdOf(ctx),
      since: ctx.services.clock.now(),
      page: cursor ?? undefined,
    }
    yield { is: 'state', state: 'reading' }
    for (let isStream = true; !ctx.signal.aborted;) {
      const began = performance.now()
      const outcome = yield* isStream ? streamed(reading) : polled(reading)
      if (outcome === 'ended') return
      if (outcome === 'no stream') isStream = false
      await pause(Math.max(leastMs, reading.interval ?? 0) - (performance.now() - began), ctx.signal)
    }
  },

  async send(ctx, { text }) {
    return await command(ctx, async (api, liveChatId) => {
      const json = { snippet: { liveChatId, type: 'textMessageEvent', textMessageDetails: { messageText: text } } }
      const query = { part: 'snippet' }
      return await api.call({ url: `${base}/liveChat/messages`, method: 'POST', query, json }, Created)
    })
  },

  remove: (ctx, id) =>
    command(ctx, async (api) => {
      await api.call({ url: `${base}/liveChat/messages`, method: 'DELETE', query: { id } }, z.object({}))
    }),

  restrict: (ctx, channelId, seconds) =>
    command(ctx, async (api, liveChatId) => {
      const how = seconds === null ? { type: 'permanent' } : { type: 'temporary', banDurationSeconds: String(seconds) }
      const json = { snippet: { liveChatId, ...how, bannedUserDetails: { channelId } } }
      const query = { part: 'snippet' }
      const { id } = await api.call({ url: `${base}/liveChat/bans`, method: 'POST', query, json }, Created)
      return { liftId: id }
    }),

  lift: (ctx, _, liftId) =>
    command(ctx, async (api) => {
      if (liftId === undefined) throw new ChatSendError('unsupported', 'YouTube lifts only bans that were made here.')
      await api.call({ url: `${base}/liveChat/bans`, method: 'DELETE', query: { id: liftId } }, z.object({}))
    }),
}

interface Reading {
  readonly ctx: ReaderContext
  readonly chatId: string
  /** Credentials of the calls. */
  readonly headers: Credentials
  readonly ownId: string | null
  readonly since: Date
  page: string | undefined
  interval?: number | undefined
}

/** Returns the JSON of a body; null for one that is none, breaks off or is too long. */
const bodyOf = (answer: Response): Promise<unknown> => readText(answer).then(jsonOf, () => null)

/** Requests messages. @returns the response of a success, or the outcome of a failure */
async function request(reading: Reading, path: string): Promise<Response | 'ended' | 'no stream' | 'more'> {
  const { ctx, chatId, headers, page } = reading
  await spend(ctx, 'read', units.read)
  const query = new URLSearchParams({ liveChatId: chatId, part: 'id,snippet,authorDetails', maxResults: '500' })
  if (page !== undefined) query.set('pageToken', page)
  const url = providerUrl(ctx.services.config, 'google', `${base}/${path}?${query.toString()}`)
  const answer = await fetch(url, {
    headers: { ...headers, accept: 'application/json' },
    redirect: 'manual',
    signal: ctx.signal,
  }).catch((error: unknown) => {
    throw new ChatLost('YouTube does not answer', { isGap: false, cause: error })
  })
  if (answer.ok) return answer
  const code = codeOf(await bodyOf(answer)) ?? ''
  if (code.includes('quotaExceeded')) throw new QuotaGone(await markQuotaGone(ctx.services, 'youtube'))
  if (code === 'liveChatEnded') return 'ended'
  if (isRateLimit(code)) throw new ChatLost('YouTube limits the rate', { isGap: false })
  // The position may be of an earlier chat of the channel: read the recent messages instead.
  if (/pageToken/i.test(code) && page !== undefined) {
    reading.page = undefined
    return 'more'
  }
  if (code === 'liveChatDisabled' || code === 'liveChatNotFound')
    throw new ChatRefused('no_chat', 'YouTube has no live chat for this broadcast.')
  if (answer.status === 404 || answer.status === 501) return 'no stream'
  if (ctx.place.accountId === null && keyRefusals.includes(answer.status))
    throw new ChatRefused('setup', 'YouTube refused the key of the service.')
  if (answer.status === 403) throw new ChatRefused('forbidden', 'YouTube refused the account.')
  // 401: the next connection renews the token.
  throw new ChatLost(`YouTube answered with ${answer.status}`, { isGap: false })
}

async function* streamed(reading: Reading): AsyncGenerator<ChatEvent, 'more' | 'ended' | 'no stream'> {
  const answer = await request(reading, 'liveChat/messages/stream')
  if (!(answer instanceof Response)) {
    if (answer === 'ended') yield { is: 'ended' }
    return answer
  }
  const read = jsonArrayReader(reading.ctx.malformed)
  const decoder = new TextDecoder()
  try {
    for await (const bytes of answer.body ?? [])
      for (const page of read(decoder.decode(bytes, { stream: true }))) {
        if ((yield* eventsOf(reading, page)) === 'ended') return 'ended'
      }
  } catch (error) {
    if (reading.ctx.signal.aborted) return 'more'
    if (error instanceof JsonArrayError) reading.ctx.malformed()
    throw new ChatLost('The stream of YouTube broke off', { isGap: false, cause: error })
  }
  return 'more'
}

async function* polled(reading: Reading): AsyncGenerator<ChatEvent, 'more' | 'ended' | 'no stream'> {
  const answer = await request(reading, 'liveChat/messages')
  if (!(answer instanceof Response)) {
    if (answer === 'ended') yield { is: 'ended' }
    if (answer === 'no stream') throw new ChatLost('YouTube answered with 404', { isGap: false })
    return answer
  }
  return yield* eventsOf(reading, await bodyOf(answer))
}

async function* eventsOf(reading: Reading, body: unknown): AsyncGenerator<ChatEvent, 'more' | 'ended'> {
  const page = Page.safeParse(body)
  if (!page.success) {
    reading.ctx.malformed()
    return 'more'
  }
  const { nextPageToken, items, offlineAt, pollingIntervalMillis } = page.data
  reading.page = nextPageToken ?? reading.page
  reading.interval = pollingIntervalMillis
  for (const [at, item] of items.entries()) {
    // The cursor stands for the whole page: an earlier message must not skip the rest of it.
    const cursor = at === items.length - 1 ? nextPageToken : undefined
    const event = youtubeEvent(item, { ...reading, cursor })
    if (event === undefined) reading.ctx.malformed()
    if (event) yield event
    if (event?.is === 'ended') return 'ended'
  }
  if (offlineAt === undefined) return 'more'
  yield { is: 'ended' }
  return 'ended'
}

const chats = new Map<string, { readonly chatId: string; readonly until: number }>()

/** Returns the id of the live chat, found once a minute; null: the channel has none now. */
async function chatIdOf(ctx: ChatContext): Promise<string | null> {
  const known = chats.get(ctx.place.source)
  if (known && known.until > Date.now()) return known.chatId
  const { chatId } = await findChat(ctx)
  if (chats.size > 1_000) chats.clear()
  if (chatId !== null) chats.set(ctx.place.source, { chatId, until: Date.now() + 60_000 })
  return chatId
}

/** Runs a command with the account of the place, and the id of its live chat, which is kept for a minute. */
const command = <T>(ctx: ChatContext, run: (api: ProviderApi, chatId: string) => Promise<T>): Promise<T> =>
  asCommand(
    async () => {
      if (ctx.place.accountId === null) throw new ChatSendError('account', 'Writing needs a connected account.')
      try {
        const chatId = await chatIdOf(ctx)
        if (chatId === null) throw new ChatSendError('no_chat', 'YouTube has no live chat for the channel now.')
        await spend(ctx, 'write', units.write)
        return await quotaAware(ctx, () =>
          withPlaceAccount(ctx.services, ctx.place, conventions, (api) => run(api, chatId)),
        )
      } catch (error) {
        // The next broadcast has another chat.
        if (error instanceof ProviderRefusedError && byCode[error.reason] === 'no_chat') chats.delete(ctx.place.source)
        if (!(error instanceof QuotaGone)) throw error
        const wait = Math.ceil((error.until.getTime() - ctx.services.clock.now().getTime()) / 1000)
        throw new ChatSendError('quota', 'The quota of YouTube is used up for today.', wait)
      }
    },
    ({ reason, refusedWith }) => byCode[reason] ?? (refusedWith === 404 ? 'gone' : undefined),
  )

const byCode: Readonly<Record<string, ChatSendReason>> = {
  rateLimitExceeded: 'too_fast',
  messageTextInvalid: 'rejected',
  liveChatEnded: 'no_chat',
  liveChatDisabled: 'no_chat',
  liveChatNotFound: 'no_chat',
  liveChatMessageNotFound: 'gone',
  modificationNotAllowed: 'forbidden',
  insufficientPermissions: 'forbidden',
}

// Chat of YouTube: streamed with the token of a connected account, or with the key of the service where there is none; polled,
// never under 5 s, where there is no stream (developers.google.com/youtube/v3/live/docs/liveChatMessages/streamList).
import * as z from 'zod/mini'
import { ChatSendError, type ChatSendReason } from '#server/core/chat-errors.ts'
import type { ChatEvent, ChatPlace } from '#server/core/chat.ts'
import {
  jsonOf,
  ProviderRefusedError,
  ProviderUnavailableError,
  providerUrl,
  readText,
} from '#server/core/provider-http.ts'
import {
  type ApiConventions,
  type ProviderApi,
  providerApi,
  ProviderUnauthorizedError,
} from '#server/core/platform-api.ts'
import { markQuotaGone, type QuotaPurpose, spendQuota } from '#server/domain/platforms/quota.ts'
import { pause } from '#server/core/pause.ts'
import { JsonArrayError, jsonArrayReader } from '#server/chat/json-array.ts'
import {
  type ChatContext,
  ChatLost,
  ChatRefused,
  type ChatServices,
  type ChatSource,
  QuotaGone,
  type ReaderContext,
} from '#server/chat/port.ts'
import { asCommand, asReader, ownIdOf, withPlaceAccount } from '#server/chat/account-api.ts'
import { Page, youtubeEvent } from './wire.ts'
import { youtubePage } from '#server/core/youtube-page.ts'

// Calls to YouTube for chat, counted against the quota: by the token of a connected account, or by the key of the service; and the
// live chat of a channel (developers.google.com/youtube/v3/docs/videos, liveStreamingDetails.activeLiveChatId).

/** Base of YouTube's API. */
const base = 'https://www.googleapis.com/youtube/v3'
/** Costs of calls. */
const units = { read: 5, find: 1, write: 50 } as const
/** Google's code of a failure, for example `quotaExceeded`. */
const Failure = z.object({
  error: z.object({
    errors: z.optional(z.array(z.object({ reason: z.optional(z.string()) }))),
    message: z._default(z.string(), ''),
  }),
})
/** Returns Google's code of a failure; null for another body. */
const codeOf = (body: unknown): string | null => {
  const { data } = Failure.safeParse(body)
  return data ? (data.error.errors?.[0]?.reason ?? data.error.message) : null
}
/** Conventions of calls with the token of an account. */
const conventions: ApiConventions = {
  provider: 'google',
  headers: (token) => ({ authorization: `Bearer ${token}` }),
  faultOf(body) {
    const code = codeOf(body)
    return code === null ? null : code === 'authError' ? 'unauthorized' : { reason: code }
  },
}
const Broadcasts = z.object({
  items: z._default(
    z.array(z.object({ id: z.string(), snippet: z.object({ liveChatId: z.optional(z.string()) }) })),
    [],
  ),
})
const listOf = <T extends z.ZodMiniType>(item: T) => z.object({ items: z._default(z.array(item), []) })
const Uploads = listOf(
  z.object({ contentDetails: z.object({ relatedPlaylists: z.object({ uploads: z.optional(z.string()) }) }) }),
)
const PlaylistItems = listOf(z.object({ contentDetails: z.object({ videoId: z.string() }) }))
const Videos = listOf(
  z.object({ liveStreamingDetails: z.optional(z.object({ activeLiveChatId: z.optional(z.string()) })) }),
)

/** Headers of calls. */
type Credentials = Readonly<Record<string, string>>

/** Counts units of a call. @throws QuotaGone */
async function spend(
  { services }: { readonly services: ChatServices },
  purpose: QuotaPurpose,
  count: number,
): Promise<void> {
  const until = await spendQuota(services, 'youtube', purpose, count)
  if (until) throw new QuotaGone(until)
}

/** Finds the live chat of the place's broadcast. The call renews the token of the account. */
async function findChat(ctx: ChatContext): Promise<{ chatId: string | null; headers: Credentials }> {
  const { youtubeApiKey } = ctx.services.config
  if (ctx.place.accountId === null && youtubeApiKey !== null) {
    const headers = { 'x-goog-api-key': youtubeApiKey }
    return { chatId: await keyed(() => quotaAware(ctx, () => findPublicChat(ctx, headers))), headers }
  }
  await spend(ctx, 'read', units.find)
  const { videoId } = ctx.place
  const by = videoId === null ? { broadcastStatus: 'active', broadcastType: 'all' } : { id: videoId }
  return await quotaAware(ctx, () =>
    withPlaceAccount(ctx.services, ctx.place, conventions, async (api) => {
      const { items } = await api.call({ url: `${base}/liveBroadcasts`, query: { part: 'snippet', ...by } }, Broadcasts)
      return {
        chatId: items.find(({ snippet }) => snippet.liveChatId)?.snippet.liveChatId ?? null,
        headers: conventions.headers(api.token, ''),
      }
    }),
  )
}

/** Statuses that refuse the key of the service: invalid, or not allowed to call the API. */
const keyRefusals: readonly number[] = [400, 401, 403]

/** Runs calls with the key of the service. @throws ChatRefused `setup` when YouTube refuses the key */
async function keyed<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const isRefused =
      error instanceof ProviderUnauthorizedError ||
      (error instanceof ProviderRefusedError && keyRefusals.includes(error.refusedWith))
    throw isRefused ? new ChatRefused('setup', 'YouTube refused the key of the service.') : error
  }
}

/** Finds the live chat by public data: of the video, or of the newest videos of the channel. */
async function findPublicChat(ctx: ChatContext, headers: Credentials): Promise<string | null> {
  const { services, place } = ctx
  const api = providerApi(services, { ...conventions, headers: () => headers }, '')
  const find: PublicLookup = async (path, query, answer) => {
    await spend(ctx, 'read', units.find)
    return await api.call({ url: `${base}/${path}`, query }, answer)
  }
  const ids = await videosOf(find, place)
  if (ids.length === 0) return null
  const query = { part: 'liveStreamingDetails', id: ids.join(',') }
  const { items } = await find('videos', query, Videos)
  return (
    items.find(({ liveStreamingDetails: live }) => live?.activeLiveChatId)?.liveStreamingDetails?.activeLiveChatId ??
    null
  )
}

type PublicLookup = <O>(path: string, query: Readonly<Record<string, string>>, answer: z.ZodMiniType<O>) => Promise<O>

/** Returns the ids of videos that may be live: the known one, or the newest uploads. @throws ChatRefused for an unknown channel */
async function videosOf(find: PublicLookup, { videoId, externalId, page }: ChatPlace): Promise<string[]> {
  const at = youtubePage(page)
  const known = videoId ?? (at?.is === 'video' ? at.id : null)
  if (known !== null) return [known]
  const by: Record<string, string> | null =
    externalId !== '' ? { id: externalId } : at && (at.is === 'channel' ? { id: at.id } : { forHandle: at.id })
  if (!by) throw new ChatRefused('page', 'The channel of YouTube is unknown.')
  const { items } = await find('channels', { part: 'contentDetails', ...by }, Uploads)
  const playlistId = items[0]?.contentDetails.relatedPlaylists.uploads
  if (playlistId === undefined) throw new ChatRefused('page', 'The channel of YouTube is unknown.')
  const newest = await find('playlistItems', { part: 'contentDetails', maxResults: '10', playlistId }, PlaylistItems)
  return newest.items.map(({ contentDetails }) => contentDetails.videoId)
}

/** Returns whether a code is Google's limit of a rate, which it sends with 403: neither a key nor an account is refused. */
const isRateLimit = (code: string): boolean => /rateLimitExceeded/i.test(code)

/** Converts a used-up quota and a limited rate to their errors. */
async function quotaAware<T>({ services }: { readonly services: ChatServices }, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ProviderRefusedError && error.reason.includes('quotaExceeded'))
      throw new QuotaGone(await markQuotaGone(services, 'youtube'))
    if (error instanceof ProviderRefusedError && isRateLimit(error.reason))
      throw new ProviderUnavailableError('google', 429)
    throw error
  }
}

/** Least time between two calls that read, milliseconds: each costs 5 units of 10,000 a day. */
const leastMs = 5_000

const Created = z.object({ id: z.string() })

/** Chat of YouTube. */
export const chat: ChatSource = {
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

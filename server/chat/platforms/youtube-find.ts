// Calls to YouTube for chat, counted against the quota: by the token of a connected account, or by the key of the service; and the
// live chat of a channel (developers.google.com/youtube/v3/docs/videos, liveStreamingDetails.activeLiveChatId).
import * as z from 'zod/mini'
import type { ChatPlace } from '#server/core/chat.ts'
import { ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import { youtubePage } from '#server/core/youtube-page.ts'
import { type ApiConventions, providerApi, ProviderUnauthorizedError } from '#server/domain/platforms/providers/api.ts'
import { markQuotaGone, type QuotaPurpose, spendQuota } from '#server/domain/platforms/quota.ts'
import { type ChatContext, ChatRefused, type ChatServices, QuotaGone } from '#server/chat/port.ts'
import { withPlaceAccount } from './account-api.ts'

/** Base of YouTube's API. */
export const base = 'https://www.googleapis.com/youtube/v3'
/** Costs of calls. */
export const units = { read: 5, find: 1, write: 50 } as const
/** Google's code of a failure, for example `quotaExceeded`. */
const Failure = z.object({
  error: z.object({
    errors: z.optional(z.array(z.object({ reason: z.optional(z.string()) }))),
    message: z._default(z.string(), ''),
  }),
})
/** Returns Google's code of a failure; null for another body. */
export const codeOf = (body: unknown): string | null => {
  const { data } = Failure.safeParse(body)
  return data ? (data.error.errors?.[0]?.reason ?? data.error.message) : null
}
/** Conventions of calls with the token of an account. */
export const conventions: ApiConventions = {
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
export type Credentials = Readonly<Record<string, string>>

/** Counts units of a call. @throws QuotaGone */
export async function spend(
  { services }: { readonly services: ChatServices },
  purpose: QuotaPurpose,
  count: number,
): Promise<void> {
  const until = await spendQuota(services, 'youtube', purpose, count)
  if (until) throw new QuotaGone(until)
}

/** Finds the live chat of the place's broadcast. The call renews the token of the account. */
export async function findChat(ctx: ChatContext): Promise<{ chatId: string | null; headers: Credentials }> {
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
export const keyRefusals: readonly number[] = [400, 401, 403]

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
export const isRateLimit = (code: string): boolean => /rateLimitExceeded/i.test(code)

/** Converts a used-up quota and a limited rate to their errors. */
export async function quotaAware<T>(
  { services }: { readonly services: ChatServices },
  run: () => Promise<T>,
): Promise<T> {
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

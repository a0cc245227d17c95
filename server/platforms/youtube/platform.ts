// YouTube: Data API v3 and Live Streaming API (developers.google.com/youtube/v3).
import * as z from 'zod/mini'
import { iso } from '#server/core/clock.ts'
import { RuleError } from '#server/core/errors.ts'
import type { ProviderApi } from '#server/core/platform-api.ts'
import { named, type PlatformAdapter } from '#server/core/platform-adapter.ts'
import { base, idInPage, itemsOf, pageOf } from './api.ts'
import { healing } from './healing.ts'
import { planning } from './planning.ts'
import { sendSettings } from './settings.ts'

const languages = { en: 'en', ru: 'ru', cn: 'zh-CN' } as const

const Channel = z.object({
  id: z.string(),
  snippet: z.object({
    title: z.string(),
    thumbnails: z.optional(z.object({ default: z.optional(z.object({ url: z.string() })) })),
  }),
  statistics: z.optional(z.object({ subscriberCount: z.optional(z.string()) })),
})
const Titled = z.object({ id: z.string(), snippet: z.object({ title: z.string() }) })
const Category = z.extend(Titled, {
  snippet: z.object({ title: z.string(), assignable: z.optional(z.boolean()) }),
})
const Broadcast = z.object({
  id: z.string(),
  snippet: z.object({
    title: z.string(),
    description: z.optional(z.string()),
    scheduledStartTime: z.optional(z.string()),
  }),
})
const WatchedVideo = z.object({
  id: z.string(),
  liveStreamingDetails: z.optional(
    z.object({
      concurrentViewers: z.optional(z.string()),
      scheduledStartTime: z.optional(z.string()),
      actualStartTime: z.optional(z.string()),
      actualEndTime: z.optional(z.string()),
    }),
  ),
})
const Stream = z.object({
  id: z.string(),
  contentDetails: z.optional(z.object({ isReusable: z.optional(z.boolean()) })),
  cdn: z.object({
    ingestionInfo: z.object({
      streamName: z.string(),
      ingestionAddress: z.string(),
      rtmpsIngestionAddress: z.optional(z.string()),
    }),
  }),
})
/** developers.google.com/youtube/v3/live/docs/liveStreams#status. */
const StreamStatus = z.object({
  contentDetails: z.optional(z.object({ isReusable: z.optional(z.boolean()) })),
  status: z.optional(
    z.object({
      healthStatus: z.optional(
        z.object({
          configurationIssues: z.optional(
            z.array(z.object({ severity: z.string(), description: z._default(z.string(), '') })),
          ),
        }),
      ),
    }),
  ),
})

export const youtube: PlatformAdapter = {
  account: 'youtube',
  provider: 'google',
  single: true,
  scopes: ['https://www.googleapis.com/auth/youtube'],
  headers: (token) => ({ authorization: `Bearer ${token}` }),
  // developers.google.com/youtube/v3/determine_quota_cost: lists cost one unit, changes fifty.
  unitsOf: ({ method, json, file }) => ((method ?? 'GET') === 'GET' && json === undefined && !file ? 1 : 50),

  async identify(api) {
    const { id, snippet } = await ownChannel(api)
    return { id, name: snippet.title, avatar: snippet.thumbnails?.default?.url ?? '' }
  },

  async channels(api) {
    const { id, snippet, statistics } = await ownChannel(api)
    const photo = snippet.thumbnails?.default?.url ?? ''
    const members = Number(statistics?.subscriberCount ?? 0)
    return [{ id, name: snippet.title, photo, members, url: `https://www.youtube.com/channel/${id}` }]
  },

  async ingest(api) {
    const query = { part: 'snippet,cdn,contentDetails', mine: 'true', maxResults: '50' }
    const { items } = await api.call({ url: `${base}/liveStreams`, query }, itemsOf(Stream))
    const stream = items.find(({ contentDetails }) => contentDetails?.isReusable) ?? (await makeStream(api))
    const { ingestionInfo } = stream.cdn
    return { url: ingestionInfo.rtmpsIngestionAddress ?? ingestionInfo.ingestionAddress, key: ingestionInfo.streamName }
  },

  async describe(api, _, settings, planned) {
    const broadcast = await broadcastToDescribe(api, planned)
    if (broadcast) await sendSettings(api, broadcast.id, settings)
    return broadcast !== undefined
  },

  audience: {
    many: {
      max: 50,
      idOf: ({ page }) => idInPage(page),
      async ask(api, ids) {
        const query = { part: 'liveStreamingDetails', id: ids.join(','), maxResults: '50' }
        const { items } = await api.call({ url: `${base}/videos`, query }, itemsOf(WatchedVideo))
        // An ended broadcast may have a successor, and a private one is for its own account only: `one` finds both.
        const live = items.filter(({ liveStreamingDetails: details }) => details && isShown(details))
        return new Map(live.map((video) => [video.id, { viewers: viewersOf(video), onAir: true }]))
      },
    },
    async one(api, { isDark }) {
      const [live] = await broadcastsBy(api, { broadcastStatus: 'active', broadcastType: 'all' })
      if (!live) return { viewers: null, onAir: false, ...(isDark && (await healthOf(api))) }
      const query = { part: 'liveStreamingDetails', id: live.id }
      const { items } = await api.call({ url: `${base}/videos`, query }, itemsOf(WatchedVideo))
      return { viewers: items[0] ? viewersOf(items[0]) : null, page: pageOf(live.id), onAir: true }
    },
  },

  healing,
  planning,

  async categories(api, query) {
    const asked = { part: 'snippet', regionCode: 'US', hl: languages[api.language] }
    const { items } = await api.call({ url: `${base}/videoCategories`, query: asked }, itemsOf(Category))
    const usable = items.filter(({ snippet }) => snippet.assignable !== false)
    return named(
      usable.map(({ id, snippet }) => ({ id, name: snippet.title })),
      query,
    )
  },

  async playlists(api) {
    const query = { part: 'snippet', mine: 'true', maxResults: '50' }
    const { items } = await api.call({ url: `${base}/playlists`, query }, itemsOf(Titled))
    return items.map(({ id, snippet }) => ({ id, name: snippet.title }))
  },

  async planned(api) {
    const found = await upcoming(api)
    return found.flatMap(({ id, snippet: { title, description = '', scheduledStartTime } }) =>
      scheduledStartTime === undefined ? [] : [{ id, title, description, date: iso(new Date(scheduledStartTime)) }],
    )
  },
}

/** A planned broadcast has a scheduled start only. */
const isShown = (details: NonNullable<z.output<typeof WatchedVideo>['liveStreamingDetails']>): boolean =>
  details.actualEndTime === undefined &&
  (details.actualStartTime !== undefined || details.scheduledStartTime === undefined)

const viewersOf = ({ liveStreamingDetails: details }: z.output<typeof WatchedVideo>): number | null =>
  details?.concurrentViewers === undefined ? null : Number(details.concurrentViewers)

async function ownChannel(api: ProviderApi) {
  const query = { part: 'snippet,statistics', mine: 'true' }
  const { items } = await api.call({ url: `${base}/channels`, query }, itemsOf(Channel))
  const [channel] = items
  if (!channel) throw new RuleError('NoChannelThere')
  return channel
}

function makeStream(api: ProviderApi) {
  const json = {
    snippet: { title: 'Relaydeck' },
    cdn: { frameRate: 'variable', ingestionType: 'rtmp', resolution: 'variable' },
    contentDetails: { isReusable: true },
  }
  return api.call({ url: `${base}/liveStreams`, query: { part: 'snippet,cdn,contentDetails' }, json }, Stream)
}

const severities = ['error', 'warning', 'info']
/** Longest reason, characters. */
const wordsMax = 300

/** Returns the faults that YouTube found in the stream of the account, the worst first; without an answer they stay unknown. */
async function healthOf(api: ProviderApi): Promise<{ readonly words?: string }> {
  const query = { part: 'status,contentDetails', mine: 'true', maxResults: '50' }
  const answer = await api.call({ url: `${base}/liveStreams`, query }, itemsOf(StreamStatus)).catch(() => null)
  if (answer === null) return {}
  const { items } = answer
  const stream = items.find(({ contentDetails }) => contentDetails?.isReusable) ?? items[0]
  const issues = stream?.status?.healthStatus?.configurationIssues ?? []
  const sorted = issues.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  const words = sorted.map(({ description }) => description).join(' ')
  return { words: words.slice(0, wordsMax) }
}

const broadcastsBy = (api: ProviderApi, by: Readonly<Record<string, string>>) =>
  api
    .call({ url: `${base}/liveBroadcasts`, query: { part: 'snippet', maxResults: '50', ...by } }, itemsOf(Broadcast))
    .then(({ items }) => items)

const upcoming = (api: ProviderApi) => broadcastsBy(api, { broadcastStatus: 'upcoming', broadcastType: 'all' })

/** Returns the planned broadcast, else the active one. */
async function broadcastToDescribe(api: ProviderApi, planned: string | null) {
  const by = planned === null ? { broadcastStatus: 'active', broadcastType: 'all' } : { id: planned }
  const [first] = await broadcastsBy(api, by)
  return first
}

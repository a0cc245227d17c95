// A new broadcast at YouTube, bound to a stream that is still sent: `liveBroadcasts.insert`, `bind` and `transition`
// (developers.google.com/youtube/v3/live/docs/liveBroadcasts, …/life-of-a-broadcast).
import * as z from 'zod/mini'
import type { BroadcastMark, EndedBroadcast, Healing } from '#server/core/platform-adapter.ts'
import type { ProviderApi } from '#server/core/platform-api.ts'
import { base, idInPage, itemsOf, pageOf } from './api.ts'

const text = z.optional(z.string())
const flag = z.optional(z.boolean())
/** An id is part of an address. */
const videoId = z.string().check(z.regex(/^[\w-]{1,64}$/))

const Stream = z.object({
  id: z.string(),
  cdn: z.object({ ingestionInfo: z.object({ streamName: z.string() }) }),
  status: z.optional(z.object({ streamStatus: text })),
})
const Broadcast = z.object({
  id: videoId,
  snippet: z.object({
    title: z.string(),
    description: text,
    scheduledStartTime: text,
    actualEndTime: text,
  }),
  contentDetails: z._default(
    z.object({
      boundStreamId: text,
      enableAutoStop: flag,
      enableDvr: flag,
      recordFromStart: flag,
      latencyPreference: text,
    }),
    {},
  ),
  status: z.object({ lifeCycleStatus: z.string(), privacyStatus: z.string(), selfDeclaredMadeForKids: flag }),
})
type Broadcast = z.output<typeof Broadcast>
const Made = z.object({ id: videoId })
/** The rest of an answer to a change is not read. */
const Changed = z.object({})

const parts = 'id,snippet,contentDetails,status'
const url = `${base}/liveBroadcasts`

const broadcastsBy = (api: ProviderApi, by: Readonly<Record<string, string>>): Promise<readonly Broadcast[]> =>
  api.call({ url, query: { part: parts, maxResults: '50', ...by } }, itemsOf(Broadcast)).then(({ items }) => items)

const broadcastsIn = (api: ProviderApi, broadcastStatus: 'active' | 'upcoming' | 'completed') =>
  broadcastsBy(api, { broadcastStatus, broadcastType: 'all' })

/** Returns a broadcast. */
export const broadcastOf = async (api: ProviderApi, id: string): Promise<Broadcast | undefined> =>
  (await broadcastsBy(api, { id }))[0]

async function streamOf(api: ProviderApi, key: string): Promise<z.output<typeof Stream> | undefined> {
  const query = { part: 'id,cdn,status', mine: 'true', maxResults: '50' }
  const { items } = await api.call({ url: `${base}/liveStreams`, query }, itemsOf(Stream))
  return items.find(({ cdn }) => cdn.ingestionInfo.streamName === key)
}

/** States of a broadcast that is shown, or is about to be. */
const liveStates: ReadonlySet<string> = new Set(['live', 'liveStarting', 'testing', 'testStarting'])

const endOf = ({ snippet }: Broadcast): number => Date.parse(snippet.actualEndTime ?? '') || 0

/** Returns the broadcast that ended last. */
async function lastCompleted(api: ProviderApi): Promise<Broadcast | undefined> {
  const [last] = (await broadcastsIn(api, 'completed')).toSorted((a, b) => endOf(b) - endOf(a))
  return last
}

const copyOf = ({ snippet, contentDetails, status }: Broadcast): EndedBroadcast => {
  const { enableAutoStop = true, enableDvr, recordFromStart, latencyPreference } = contentDetails
  const { privacyStatus, selfDeclaredMadeForKids } = status
  return {
    title: snippet.title,
    copied: {
      snippet: { title: snippet.title, description: snippet.description ?? '' },
      status: { privacyStatus, selfDeclaredMadeForKids },
      contentDetails: { enableAutoStop, enableDvr, recordFromStart, latencyPreference },
    },
  }
}

const hasMark =
  ({ title, startAt }: BroadcastMark) =>
  ({ snippet }: Broadcast): boolean =>
    snippet.title === title && Date.parse(snippet.scheduledStartTime ?? '') === Date.parse(startAt)

/** Makes a broadcast that begins with its stream. @returns its id */
export async function insertBroadcast(
  api: ProviderApi,
  { snippet, status, contentDetails }: EndedBroadcast['copied'],
  { title, startAt }: BroadcastMark,
): Promise<string> {
  const json = {
    snippet: { ...snippet, title, scheduledStartTime: startAt },
    status,
    contentDetails: { ...contentDetails, enableAutoStart: true, monitorStream: { enableMonitorStream: false } },
  }
  return (await api.call({ url, query: { part: 'snippet,contentDetails,status' }, json }, Made)).id
}

export const healing: Healing = {
  async findEnded(api, { key, page }) {
    const known = idInPage(page)
    const old = known === null ? undefined : await broadcastOf(api, known)
    const state = old?.status.lifeCycleStatus
    // A broadcast that was removed, or that YouTube revoked, gets no successor.
    if ((known !== null && !old) || state === 'revoked') return null
    const stream = await streamOf(api, key)
    if (!stream) return null
    const isBound = (one: Broadcast) => one.contentDetails.boundStreamId === stream.id
    if (state !== 'complete' && stream.status?.streamStatus !== 'active') return null
    if ((await broadcastsIn(api, 'active')).some(isBound)) return null
    if (state === 'complete') return old ? copyOf(old) : null
    if ((await broadcastsIn(api, 'upcoming')).some(isBound)) return null
    const template = old ?? (await lastCompleted(api))
    return template && template.status.lifeCycleStatus !== 'revoked' ? copyOf(template) : null
  },

  async findMade(api, mark) {
    for (const status of ['upcoming', 'active'] as const) {
      const found = (await broadcastsIn(api, status)).find(hasMark(mark))
      if (found) return found.id
    }
    return null
  },

  insert: (api, { copied }, mark) => insertBroadcast(api, copied, mark),

  async bind(api, id, key) {
    const stream = await streamOf(api, key)
    const there = await broadcastOf(api, id)
    if (!stream || !there) return false
    if (there.contentDetails.boundStreamId === stream.id) return true
    const query = { id, streamId: stream.id, part: 'id,contentDetails' }
    await api.call({ url: `${url}/bind`, method: 'POST', query }, Changed)
    return true
  },

  async stateOf(api, id) {
    const there = await broadcastOf(api, id)
    const state = there?.status.lifeCycleStatus ?? 'revoked'
    if (liveStates.has(state) || state === 'complete') return 'shown'
    return state === 'revoked' ? 'gone' : 'waiting'
  },

  async start(api, id) {
    const query = { id, broadcastStatus: 'live', part: 'id,status' }
    await api.call({ url: `${url}/transition`, method: 'POST', query }, Changed)
  },

  pageOf,
}

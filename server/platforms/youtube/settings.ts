// Stream settings of YouTube: `videos.update` for texts, privacy and audience, `liveBroadcasts.update` for latency and automatic
// stop, `playlistItems.insert` and `thumbnails.set` (developers.google.com/youtube/v3/docs, …/v3/live/docs).
import * as z from 'zod/mini'
import { ProviderRefusedError } from '#server/core/provider-http.ts'
import type { ProviderApi } from '#server/core/platform-api.ts'
import { type StreamSettings, textOf } from '#server/core/platform-adapter.ts'
import { base } from './api.ts'

const thumbnails = 'https://www.googleapis.com/upload/youtube/v3/thumbnails/set'
/** States in which YouTube accepts another latency. */
const unstarted = new Set(['created', 'ready'])

const text = z.optional(z.string())
const flag = z.optional(z.boolean())
const Written = z.object({ id: z.string() })
const Listed = z.object({ items: z._default(z.array(z.object({ id: z.string() })), []) })

// An update replaces all properties of a part that can be changed: these schemas keep exactly those.
const Video = z.object({
  snippet: z.object({
    title: z.string(),
    description: text,
    categoryId: text,
    tags: z.optional(z.array(z.string())),
    defaultLanguage: text,
    defaultAudioLanguage: text,
  }),
  status: z.object({
    privacyStatus: text,
    publishAt: text,
    license: text,
    embeddable: flag,
    publicStatsViewable: flag,
    selfDeclaredMadeForKids: flag,
  }),
})
const Details = z.object({
  monitorStream: z.optional(z.object({ enableMonitorStream: flag, broadcastStreamDelayMs: z.optional(z.int()) })),
  enableAutoStart: flag,
  enableAutoStop: flag,
  enableClosedCaptions: flag,
  enableContentEncryption: flag,
  enableDvr: flag,
  enableEmbed: flag,
  recordFromStart: flag,
  startWithSlate: flag,
  latencyPreference: text,
})
const Broadcast = z.object({
  snippet: z.object({ title: z.string(), description: text, scheduledStartTime: text, scheduledEndTime: text }),
  contentDetails: z._default(Details, {}),
  status: z.optional(z.object({ lifeCycleStatus: text })),
})

/** Sends all stream settings to a broadcast. @param id of the broadcast and of its video @throws the errors of `ProviderApi.call` */
export async function sendSettings(api: ProviderApi, id: string, settings: StreamSettings): Promise<void> {
  await sendVideo(api, id, settings)
  await sendDetails(api, id, settings)
  await addToPlaylist(api, id, textOf(settings, 'playlist_id'))
  await sendThumbnail(api, id, textOf(settings, 'image'))
}

async function sendVideo(api: ProviderApi, id: string, settings: StreamSettings): Promise<void> {
  const { snippet, status } = await itemOf(api, 'videos', 'snippet,status', id, Video)
  const lang = textOf(settings, 'lang')
  const audience = textOf(settings, 'audience')
  const json = {
    id,
    snippet: {
      ...snippet,
      title: textOf(settings, 'title') ?? snippet.title,
      description: textOf(settings, 'description') ?? snippet.description,
      categoryId: textOf(settings, 'category_id') ?? snippet.categoryId,
      tags: settings['tags'] ?? snippet.tags,
      ...(lang === undefined ? {} : { defaultLanguage: lang, defaultAudioLanguage: lang }),
    },
    status: {
      ...status,
      privacyStatus: textOf(settings, 'privacy_video') ?? status.privacyStatus,
      ...(audience === undefined ? {} : { selfDeclaredMadeForKids: audience === 'mark_for_kids' }),
    },
  }
  await api.call({ url: `${base}/videos`, method: 'PUT', query: { part: 'snippet,status' }, json }, Written)
}

/** Sends latency and automatic stop where they differ: YouTube refuses some changes of a running broadcast. */
async function sendDetails(api: ProviderApi, id: string, settings: StreamSettings): Promise<void> {
  const latency = textOf(settings, 'latency')
  const isOn = settings['disable_auto_end']
  if (latency === undefined && typeof isOn !== 'boolean') return
  const { snippet, contentDetails, status } = await itemOf(
    api,
    'liveBroadcasts',
    'snippet,contentDetails,status',
    id,
    Broadcast,
  )
  const wanted = { ...contentDetails }
  if (typeof isOn === 'boolean') wanted.enableAutoStop = !isOn
  if (latency !== undefined && unstarted.has(status?.lifeCycleStatus ?? '')) wanted.latencyPreference = latency
  const isSame =
    wanted.enableAutoStop === contentDetails.enableAutoStop &&
    wanted.latencyPreference === contentDetails.latencyPreference
  if (isSame) return
  const monitorStream = { enableMonitorStream: true, broadcastStreamDelayMs: 0, ...wanted.monitorStream }
  const json = { id, snippet, contentDetails: { ...wanted, monitorStream } }
  const query = { part: 'snippet,contentDetails' }
  await api.call({ url: `${base}/liveBroadcasts`, method: 'PUT', query, json }, Written)
}

async function addToPlaylist(api: ProviderApi, videoId: string, playlistId: string | undefined): Promise<void> {
  if (playlistId === undefined) return
  const url = `${base}/playlistItems`
  const { items } = await api.call({ url, query: { part: 'id', playlistId, videoId } }, Listed)
  if (items.length > 0) return
  const json = { snippet: { playlistId, resourceId: { kind: 'youtube#video', videoId } } }
  await api.call({ url, query: { part: 'snippet' }, json }, Written)
}

/** Uploads an image that was stored as a data URL; YouTube takes no addresses of images. */
async function sendThumbnail(api: ProviderApi, videoId: string, image: string | undefined): Promise<void> {
  const [, type, data] = /^data:(image\/(?:png|jpeg));base64,(.+)$/s.exec(image ?? '') ?? []
  if (type === undefined || data === undefined) return
  const file = { type, bytes: Buffer.from(data, 'base64') }
  await api.call({ url: thumbnails, query: { videoId, uploadType: 'media' }, file }, z.object({}))
}

async function itemOf<O>(
  api: ProviderApi,
  resource: string,
  part: string,
  id: string,
  schema: z.ZodMiniType<O>,
): Promise<O> {
  const request = { url: `${base}/${resource}`, query: { part, id } }
  const [item] = (await api.call(request, z.object({ items: z.array(schema) }))).items
  if (item === undefined) throw new ProviderRefusedError('google', 404, 'videoNotFound')
  return item
}

// VK: API 5.199 (dev.vk.com/method). Refusals have the status 200. VK assigns an address to each broadcast.
import * as z from 'zod/mini'
import { iso } from '#server/core/clock.ts'
import { RuleError } from '#server/core/errors.ts'
import type { ApiRequest, Fault, ProviderApi } from '#server/core/platform-api.ts'
import {
  named,
  type PlatformChannel,
  type PlatformAdapter,
  type StreamSettings,
  textOf,
} from '#server/core/platform-adapter.ts'

const base = 'https://api.vk.com/method'
const version = '5.199'

/**
 * Calls a method.
 * @param answer schema of the `response` in the answer
 * @throws the errors of `ProviderApi.call`
 */
export async function vkMethod<O>(
  api: ProviderApi,
  name: string,
  form: NonNullable<ApiRequest['form']>,
  answer: z.ZodMiniType<O>,
): Promise<O> {
  const request = { url: `${base}/${name}`, form: { ...form, v: version } }
  return (await api.call(request, z.object({ response: answer }))).response
}

const Failed = z.object({ error: z.object({ error_code: z.int(), error_msg: z._default(z.string(), '') }) })
const Person = z.object({
  id: z.int(),
  first_name: z.string(),
  last_name: z.string(),
  photo_100: z._default(z.string(), ''),
})
const Group = z.object({
  id: z.int(),
  name: z.string(),
  photo_100: z._default(z.string(), ''),
  members_count: z._default(z.int(), 0),
})
const Label = z.object({ id: z.int(), label: z.string() })
const Video = z.object({
  id: z.int(),
  title: z.string(),
  description: z._default(z.string(), ''),
  live_status: z.optional(z.string()),
  live_start_time: z.optional(z.int()),
})
/** `live_status`: `waiting`, `started`, `finished`, `failed` or `upcoming`. */
const WatchedVideo = z.object({ spectators: z.optional(z.int()), live_status: z.optional(z.string()) })
const itemsOf = <T extends z.ZodMiniType>(item: T) => z.object({ items: z.array(item) })

/** 5: invalid token. 6, 9: rate limit. 10: internal error. */
function faultOf(body: unknown): Fault | null {
  const { success, data } = Failed.safeParse(body)
  if (!success) return null
  const { error_code, error_msg } = data.error
  if (error_code === 5) return 'unauthorized'
  return [6, 9, 10].includes(error_code) ? 'busy' : { reason: error_msg.slice(0, 200) }
}

const manners = {
  single: false,
  faultOf,
  headers: (token: string) => ({ authorization: `Bearer ${token}` }),
} as const

const abilities: Omit<PlatformAdapter, keyof typeof manners | 'account' | 'provider' | 'scopes'> = {
  async identify(api) {
    const { id, first_name, last_name, photo_100 } = await ownPerson(api)
    return { id: String(id), name: `${first_name} ${last_name}`.trim(), avatar: photo_100 }
  },

  async channels(api) {
    const form = { extended: '1', filter: 'editor', fields: 'members_count', count: '1000' }
    const [person, { items }] = [await ownPerson(api), await vkMethod(api, 'groups.get', form, itemsOf(Group))]
    const name = `${person.first_name} ${person.last_name}`.trim()
    const own: PlatformChannel = {
      id: String(person.id),
      name,
      photo: person.photo_100,
      members: 0,
      url: pageOf(person.id),
    }
    const groups = items.map(({ id, name: title, photo_100, members_count }) => ({
      // Owners that are communities have negative numbers.
      id: String(-id),
      name: title,
      photo: photo_100,
      members: members_count,
      url: pageOf(-id),
    }))
    return [own, ...groups]
  },

  async start(api, externalId, settings, planned) {
    const answer = z.object({
      owner_id: z.optional(z.int()),
      video_id: z.optional(z.int()),
      stream: z.object({ url: z.string(), key: z.string() }),
    })
    const form = startForm(externalId, settings, planned)
    const { stream, owner_id: owner, video_id: id } = await vkMethod(api, 'video.startStreaming', form, answer)
    if (owner === undefined || id === undefined) return stream
    await addToPlaylist(api, { owner_id: String(owner), video_id: String(id) }, textOf(settings, 'playlist_id'))
    return { ...stream, videoId: String(id), page: `https://vk.com/video${owner}_${id}` }
  },

  async end(api, externalId, videoId) {
    const group = externalId.startsWith('-') ? { group_id: externalId.slice(1) } : {}
    await vkMethod(api, 'video.stopStreaming', { ...group, video_id: videoId }, z.unknown())
  },

  // One call each: other accounts see no videos with limited privacy.
  audience: {
    async one(api, { externalId, videoId }) {
      if (videoId === null) return { viewers: null }
      const form = { owner_id: externalId, videos: `${externalId}_${videoId}` }
      const { items } = await vkMethod(api, 'video.get', form, itemsOf(WatchedVideo))
      const { spectators = null, live_status: status } = items[0] ?? {}
      if (status === undefined) return { viewers: spectators }
      const onAir = status === 'started'
      const ended = status === 'finished' || status === 'failed'
      return { viewers: spectators, onAir, ended, ...(!onAir && { words: status }) }
    },
  },

  async categories(api, query) {
    const answer = z.array(z.extend(Label, { sublist: z.optional(z.array(Label)) }))
    const all = await vkMethod(api, 'video.liveGetCategories', {}, answer)
    const entry = ({ id, label }: z.output<typeof Label>) => ({ id: String(id), name: label })
    return named(
      all.map(({ sublist = [], ...one }) => ({ ...entry(one), subList: sublist.map(entry) })),
      query,
    )
  },

  async playlists(api, externalId) {
    const answer = itemsOf(z.object({ id: z.int(), title: z.string() }))
    const { items } = await vkMethod(api, 'video.getAlbums', { owner_id: externalId, count: '100' }, answer)
    return items.map(({ id, title }) => ({ id: String(id), name: title }))
  },

  async planned(api, externalId) {
    const { items } = await vkMethod(api, 'video.get', { owner_id: externalId, count: '100' }, itemsOf(Video))
    return items.flatMap(({ id, title, description, live_status, live_start_time }) =>
      live_status === 'upcoming' && live_start_time !== undefined
        ? [{ id: String(id), title, description, date: iso(new Date(live_start_time * 1000)) }]
        : [],
    )
  },
}

/** VK by the older kind of registration. */
export const vk: PlatformAdapter = {
  account: 'vk',
  ...manners,
  ...abilities,
  provider: 'vk',
  scopes: ['video', 'groups', 'wall', 'offline'],
}

/** VK by VK ID: the same API with another sign-in. */
export const vkId: PlatformAdapter = {
  account: 'vk-id',
  ...manners,
  ...abilities,
  provider: 'vk-id',
  scopes: ['vkid.personal_info', 'video', 'groups', 'wall'],
}

/** Adds a video to a playlist of its owner. A refusal does not stop the broadcast. */
async function addToPlaylist(
  api: ProviderApi,
  video: { readonly owner_id: string; readonly video_id: string },
  playlistId: string | undefined,
): Promise<void> {
  if (playlistId === undefined) return
  const form = { ...video, target_id: video.owner_id, album_id: playlistId }
  await vkMethod(api, 'video.addToAlbum', form, z.unknown()).catch((error: unknown) => {
    if (!(error instanceof RuleError)) throw error
  })
}

const pageOf = (owner: number): string => (owner < 0 ? `https://vk.com/club${-owner}` : `https://vk.com/id${owner}`)

async function ownPerson(api: ProviderApi) {
  const [person] = await vkMethod(api, 'users.get', { fields: 'photo_100' }, z.tuple([Person]))
  return person
}

function startForm(externalId: string, settings: StreamSettings, planned: string | null) {
  const flag = (name: string) => (settings[name] === true ? '1' : undefined)
  const category = textOf(settings, 'category_secondary_id') ?? textOf(settings, 'category_id')
  return {
    name: textOf(settings, 'title'),
    description: textOf(settings, 'description'),
    ...(externalId.startsWith('-') ? { group_id: externalId.slice(1) } : {}),
    video_id: planned ?? undefined,
    wallpost: flag('wall'),
    privacy_view: textOf(settings, 'privacy_video'),
    privacy_comment: textOf(settings, 'privacy_comments'),
    category_id: category,
    publish: '1',
  }
}

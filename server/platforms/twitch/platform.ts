// Twitch: Helix (dev.twitch.tv/docs/api/reference). Every call names the application beside the token.
import * as z from 'zod/mini'
import { RuleError } from '#server/core/errors.ts'
import type { ProviderApi } from '#server/core/platform-api.ts'
import { type PlatformAdapter, textOf } from '#server/core/platform-adapter.ts'

const base = 'https://api.twitch.tv/helix'
const dataOf = <T extends z.ZodMiniType>(item: T) => z.object({ data: z.array(item) })

const User = z.object({
  id: z.string(),
  login: z.string(),
  display_name: z.string(),
  profile_image_url: z._default(z.string(), ''),
})
const Game = z.object({ id: z.string(), name: z.string(), box_art_url: z._default(z.string(), '') })

export const twitch: PlatformAdapter = {
  account: 'twitch',
  provider: 'twitch',
  single: true,
  scopes: ['channel:manage:broadcast', 'channel:read:stream_key'],
  chatScopes: ['user:read:chat', 'user:write:chat', 'moderator:manage:chat_messages', 'moderator:manage:banned_users'],
  headers: (token, clientId) => ({ authorization: `Bearer ${token}`, 'client-id': clientId }),

  async identify(api) {
    const { id, display_name, profile_image_url } = await ownUser(api)
    return { id, name: display_name, avatar: profile_image_url }
  },

  async channels(api) {
    const { id, display_name, profile_image_url, login } = await ownUser(api)
    return [{ id, name: display_name, photo: profile_image_url, members: 0, url: `https://www.twitch.tv/${login}` }]
  },

  async ingest(api, externalId) {
    const query = { broadcaster_id: externalId }
    const { data } = await api.call({ url: `${base}/streams/key`, query }, dataOf(z.object({ stream_key: z.string() })))
    return { url: 'rtmp://live.twitch.tv/app', key: data[0]?.stream_key ?? '' }
  },

  async describe(api, externalId, settings) {
    const json = {
      title: textOf(settings, 'title'),
      game_id: textOf(settings, 'category_id'),
      broadcaster_language: textOf(settings, 'lang'),
      tags: settings['tags'],
    }
    const url = `${base}/channels`
    await api.call({ url, method: 'PATCH', query: { broadcaster_id: externalId }, json }, z.object({}))
  },

  audience: {
    many: {
      max: 100,
      idOf: ({ externalId }) => externalId,
      async ask(api, ids) {
        const answer = dataOf(z.object({ user_id: z.string(), viewer_count: z.int() }))
        const query = { user_id: ids, first: '100' }
        const { data } = await api.call({ url: `${base}/streams`, query }, answer)
        const counts = new Map(data.map(({ user_id, viewer_count }) => [user_id, viewer_count]))
        // Channels without an entry are off air.
        return new Map(ids.map((id) => [id, { viewers: counts.get(id) ?? null, onAir: counts.has(id) }]))
      },
    },
  },

  async categories(api, query) {
    const asked = query.trim()
    const request =
      asked === ''
        ? { url: `${base}/games/top`, query: { first: '20' } }
        : { url: `${base}/search/categories`, query: { query: asked, first: '20' } }
    const { data } = await api.call(request, dataOf(Game))
    return data.map(({ id, name, box_art_url }) => ({ id, name, image: sized(box_art_url) }))
  },
}

/** Fills in the size of an image: the API returns a template. */
const sized = (url: string): string => url.replace('{width}', '52').replace('{height}', '72')

async function ownUser(api: ProviderApi) {
  const { data } = await api.call({ url: `${base}/users` }, dataOf(User))
  const [user] = data
  if (!user) throw new RuleError('NoChannelThere')
  return user
}

// VK Video Live: DevAPI (dev.live.vkvideo.ru/docs). A channel is known by the last part of its address.
import * as z from 'zod/mini'
import { RuleError } from '#server/core/errors.ts'
import type { ProviderApi } from '#server/core/platform-api.ts'
import { type PlatformAdapter, textOf } from '#server/core/platform-adapter.ts'

const base = 'https://apidev.live.vkvideo.ru/v1'
const dataOf = <T extends z.ZodMiniType>(data: T) => z.object({ data })
/** Types of categories, which the search requires. */
const kinds = ['game', 'irl'] as const

const Me = dataOf(
  z.object({
    user: z.object({ id: z.number(), nick: z.string(), avatar_url: z._default(z.string(), '') }),
    channel: z.optional(z.object({ url: z._default(z.string(), '') })),
  }),
)
const Watched = dataOf(
  z.object({
    stream: z.optional(z.nullable(z.object({ counters: z.optional(z.object({ viewers: z.optional(z.int()) })) }))),
  }),
)
const Categories = dataOf(
  z.object({
    categories: z._default(
      z.array(z.object({ id: z.string(), title: z.string(), cover_url: z._default(z.string(), '') })),
      [],
    ),
  }),
)

export const vkvideolive: PlatformAdapter = {
  account: 'vkvideolive',
  provider: 'vkvideolive',
  single: true,
  scopes: ['channel:credentials', 'channel:stream:settings'],
  chatScopes: ['chat:message:send'],
  headers: (token) => ({ authorization: `Bearer ${token}` }),

  async identify(api) {
    const { user } = (await api.call({ url: `${base}/current_user` }, Me)).data
    return { id: String(user.id), name: user.nick, avatar: user.avatar_url }
  },

  async channels(api) {
    const { user, channel } = (await api.call({ url: `${base}/current_user` }, Me)).data
    const id = channel?.url.split('/').findLast((part) => part !== '')
    if (id === undefined) throw new RuleError('NoChannelThere')
    const url = `https://live.vkvideo.ru/${encodeURIComponent(id)}`
    return [{ id, name: user.nick, photo: user.avatar_url, members: 0, url }]
  },

  async ingest(api, externalId) {
    const request = { url: `${base}/channel/credentials`, query: { channel_url: externalId } }
    const { data } = await api.call(request, dataOf(z.object({ url: z.string(), token: z.string() })))
    return { url: data.url, key: data.token }
  },

  async describe(api, externalId, settings) {
    const id = textOf(settings, 'category_id')
    const category = id === undefined ? undefined : { id, title: textOf(settings, 'category_name') }
    const json = { stream: { title: textOf(settings, 'title'), category } }
    await api.call({ url: `${base}/channel/stream/edit`, query: { channel_url: externalId }, json }, z.object({}))
  },

  // The API takes one channel a call.
  audience: {
    async one(api, { externalId }) {
      const { data } = await api.call({ url: `${base}/channel`, query: { channel_url: externalId } }, Watched)
      return { viewers: data.stream?.counters?.viewers ?? null }
    },
  },

  async categories(api, query) {
    const found = await Promise.all(kinds.map((type) => search(api, query.trim(), type)))
    return found.flat().map(({ id, title, cover_url }) => ({ id, name: title, image: cover_url }))
  },
}

async function search(api: ProviderApi, query: string, type: string) {
  const { data } = await api.call({ url: `${base}/category/search`, query: { query, type, limit: '20' } }, Categories)
  return data.categories
}

// Trovo: open platform (developer.trovo.live/docs/APIs.html).
import * as z from 'zod/mini'
import type { ProviderApi } from '#server/core/platform-api.ts'
import { type PlatformAdapter, textOf } from '#server/core/platform-adapter.ts'

const base = 'https://open-api.trovo.live/openplatform'

const User = z.object({
  channelId: z.string(),
  userName: z.string(),
  nickName: z._default(z.string(), ''),
  profilePic: z._default(z.string(), ''),
})
const Categories = z.object({
  category_info: z._default(
    z.array(z.object({ id: z.string(), name: z.string(), icon_url: z._default(z.string(), '') })),
    [],
  ),
})

export const trovo: PlatformAdapter = {
  account: 'trovo',
  provider: 'trovo',
  single: true,
  scopes: ['user_details_self', 'channel_details_self', 'channel_update_self'],
  chatScopes: ['chat_send_self', 'send_to_my_channel', 'manage_messages'],
  headers: (token, clientId) => ({ authorization: `OAuth ${token}`, 'client-id': clientId }),

  async identify(api) {
    const { channelId, userName, nickName, profilePic } = await ownUser(api)
    return { id: channelId, name: nickName || userName, avatar: profilePic }
  },

  async channels(api) {
    const { channelId, userName, nickName, profilePic } = await ownUser(api)
    const url = `https://trovo.live/s/${encodeURIComponent(userName)}`
    return [{ id: channelId, name: nickName || userName, photo: profilePic, members: 0, url }]
  },

  // The API returns the key without an address. Trovo publishes one address for all channels.
  async ingest(api) {
    const { stream_key } = await api.call({ url: `${base}/channel` }, z.object({ stream_key: z.string() }))
    return { url: 'rtmp://livepush.trovo.live/live', key: stream_key }
  },

  async describe(api, externalId, settings) {
    const json = {
      channel_id: Number(externalId),
      live_title: textOf(settings, 'title'),
      category_id: textOf(settings, 'category_id'),
      language_code: textOf(settings, 'lang')?.toUpperCase(),
      audi_type: textOf(settings, 'audience'),
    }
    await api.call({ url: `${base}/channels/update`, json }, z.object({}))
  },

  // The API takes one channel a call.
  audience: {
    async one(api, { externalId }) {
      const answer = z.object({ is_live: z._default(z.boolean(), false), current_viewers: z._default(z.int(), 0) })
      const live = await api.call({ url: `${base}/channels/id`, json: { channel_id: Number(externalId) } }, answer)
      return { viewers: live.is_live ? live.current_viewers : null, onAir: live.is_live }
    },
  },

  async categories(api, query) {
    const asked = query.trim()
    const request =
      asked === ''
        ? { url: `${base}/categorys/top` }
        : { url: `${base}/searchcategory`, json: { query: asked, limit: 20 } }
    const { category_info } = await api.call(request, Categories)
    return category_info.map(({ id, name, icon_url }) => ({ id, name, image: icon_url }))
  },
}

const ownUser = (api: ProviderApi) => api.call({ url: `${base}/getuserinfo` }, User)

// Kick: public API (docs.kick.com). OAuth 2.1 with PKCE; the key of the account comes with its channel.
import * as z from 'zod/mini'
import { RuleError } from '#server/core/errors.ts'
import type { ProviderApi } from '#server/core/platform-api.ts'
import type { PlatformAdapter } from '#server/core/platform-adapter.ts'

const base = 'https://api.kick.com/public/v1'
const dataOf = <T extends z.ZodMiniType>(item: T) => z.object({ data: z.array(item) })

const User = z.object({
  user_id: z.int(),
  name: z._default(z.string(), ''),
  profile_picture: z._default(z.string(), ''),
})
const Channel = z.object({
  broadcaster_user_id: z.int(),
  slug: z.string(),
  stream: z.optional(
    z.nullable(
      z.object({
        key: z._default(z.string(), ''),
        is_live: z._default(z.boolean(), false),
        viewer_count: z._default(z.int(), 0),
      }),
    ),
  ),
})

export const kick: PlatformAdapter = {
  account: 'kick',
  provider: 'kick',
  single: true,
  scopes: ['user:read', 'channel:read', 'streamkey:read'],
  chatScopes: ['events:subscribe', 'chat:write', 'moderation:chat_message:manage', 'moderation:ban'],
  headers: (token) => ({ authorization: `Bearer ${token}` }),

  async identify(api) {
    const { user_id, name, profile_picture } = await ownUser(api)
    return { id: String(user_id), name, avatar: profile_picture }
  },

  async channels(api) {
    const { name, profile_picture } = await ownUser(api)
    const { broadcaster_user_id: id, slug } = await channelBy(api, {})
    const url = `https://kick.com/${encodeURIComponent(slug)}`
    return [{ id: String(id), name: name || slug, photo: profile_picture, members: 0, url }]
  },

  // Kick publishes one address for all channels.
  async ingest(api) {
    const { stream } = await channelBy(api, {})
    return { url: 'rtmps://fa723fc1b171.global-contribute.live-video.net:443/app', key: stream?.key ?? '' }
  },

  audience: {
    many: {
      max: 50,
      idOf: ({ externalId }) => externalId,
      async ask(api, ids) {
        const { data } = await api.call(
          { url: `${base}/channels`, query: { broadcaster_user_id: ids } },
          dataOf(Channel),
        )
        const streams = new Map(data.map(({ broadcaster_user_id: id, stream }) => [String(id), stream]))
        const viewersOf = (id: string) => (streams.get(id)?.is_live ? (streams.get(id)?.viewer_count ?? null) : null)
        // A channel without an entry is unknown.
        const onAirOf = (id: string) => streams.has(id) && { onAir: streams.get(id)?.is_live === true }
        return new Map(ids.map((id) => [id, { viewers: viewersOf(id), ...onAirOf(id) }]))
      },
    },
  },
}

/** Returns a channel: by id, by `slug`, or the account's own. @throws RuleError `NoChannelThere` */
async function channelBy(api: ProviderApi, query: { readonly broadcaster_user_id?: string; readonly slug?: string }) {
  const [channel] = (await api.call({ url: `${base}/channels`, query }, dataOf(Channel))).data
  if (!channel) throw new RuleError('NoChannelThere')
  return channel
}

async function ownUser(api: ProviderApi) {
  const [user] = (await api.call({ url: `${base}/users` }, dataOf(User))).data
  if (!user) throw new RuleError('NoChannelThere')
  return user
}

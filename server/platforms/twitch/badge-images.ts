// Images of Twitch's badges, global and of a channel (dev.twitch.tv/docs/api/reference, Get Global Chat Badges, Get Channel Chat
// Badges): kept for an hour for all readers of the process, and fetched while messages are read, so that they delay none.
import * as z from 'zod/mini'
import type { ChatEvent } from '#server/core/chat.ts'
import { ProviderRefusedError } from '#server/core/provider-http.ts'
import type { ProviderApi } from '#server/core/platform-api.ts'
import type { ChatServices } from '#server/chat/port.ts'

const helix = 'https://api.twitch.tv/helix'
const keptMs = 3_600_000
/** Wait after a failure. */
const retryMs = 600_000
/** Channels whose badges are kept, badges of one, and global badges. */
const most = { channels: 500, ofChannel: 200, global: 3_000 } as const

const Sets = z.object({
  data: z.array(
    z.object({
      set_id: z.string().check(z.maxLength(100)),
      versions: z.array(
        z.object({
          id: z.string().check(z.maxLength(100)),
          image_url_2x: z.string().check(z.maxLength(500)),
          title: z._default(z.string().check(z.maxLength(200)), ''),
        }),
      ),
    }),
  ),
})
const Users = z.object({ data: z.array(z.object({ id: z.string() })) })

/** A badge by `set/version`, as messages name it. */
type Badges = ReadonlyMap<string, { readonly image: string; readonly title: string }>
interface Kept {
  badges: Badges
  /** Milliseconds of the process. */
  until: number
  isLoading: boolean
}
const kept = new Map<string, Kept>()

/** Calls Helix: with an account, or as the registered application. */
type Call = <T>(ask: (api: ProviderApi) => Promise<T>) => Promise<T>

/** Returns what is kept under a key, and starts to fetch it when it is missing or old. */
function badgesAt(key: string, load: () => Promise<Badges>): Badges {
  const now = performance.now()
  const entry = kept.get(key) ?? { badges: new Map(), until: now, isLoading: false }
  if (entry.isLoading || now < entry.until) return entry.badges
  if (!kept.has(key) && kept.size >= most.channels) kept.delete(kept.keys().next().value ?? '')
  kept.set(key, entry)
  entry.isLoading = true
  load()
    .then(
      (badges) => Object.assign(entry, { badges, until: performance.now() + keptMs }),
      () => Object.assign(entry, { until: performance.now() + retryMs }),
    )
    .finally(() => (entry.isLoading = false))
  return entry.badges
}

/** A channel of Twitch by its id, or its login where the id is unknown. */
export type TwitchChannel = { readonly id: string } | { readonly login: string }

/** Adds images and titles of badges to the messages of a chat. @param call null: neither account nor registration, so no images */
export async function* withBadgeImages(
  events: AsyncIterable<ChatEvent>,
  { config }: Pick<ChatServices, 'config'>,
  channel: TwitchChannel,
  call: Call | null,
): AsyncGenerator<ChatEvent> {
  if (!call) return yield* events
  const base = config.providerBases.get('twitch') ?? ''
  const everywhere = () =>
    call(async (api) => badgesOf(await api.call({ url: `${helix}/chat/badges/global` }, Sets), most.global))
  const own = () =>
    call(async (api) => {
      const id = 'id' in channel ? channel.id : await idOf(api, channel.login)
      return badgesOf(
        await api.call({ url: `${helix}/chat/badges`, query: { broadcaster_id: id } }, Sets),
        most.ofChannel,
      )
    })
  const key = 'id' in channel ? channel.id : `@${channel.login}`
  const known = () => [badgesAt(`${base} ${key}`, own), badgesAt(`${base} global`, everywhere)]
  known()
  for await (const event of events) {
    if (event.is !== 'message' || event.message.sender.badges.length === 0) yield event
    else {
      const sources = known()
      const badges = event.message.sender.badges.map((badge) => {
        const found = sources.find((source) => source.has(badge.id))?.get(badge.id)
        return found ? { ...badge, title: found.title || badge.title, image: found.image } : badge
      })
      yield { ...event, message: { ...event.message, sender: { ...event.message.sender, badges } } }
    }
  }
}

function badgesOf({ data }: z.output<typeof Sets>, max: number): Badges {
  const all = data.flatMap(({ set_id: set, versions }) =>
    versions.map(({ id, title, image_url_2x: image }) => [`${set}/${id}`, { image, title }] as const),
  )
  return new Map(all.slice(0, max))
}

async function idOf(api: ProviderApi, login: string): Promise<string> {
  const { data } = await api.call({ url: `${helix}/users`, query: { login } }, Users)
  const id = data[0]?.id
  if (id === undefined) throw new ProviderRefusedError('twitch', 404)
  return id
}

// Adding channels over HTTP: one handler for each kind of route.
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import type { ParsedInput } from '#contract/core/operation.ts'
import { type PlatformType } from '#contract/entities/channel.ts'
import { keyPlatforms, pagePlatforms } from '#contract/platforms/platforms.ts'
import type { Context } from '#server/core/context.ts'
import { implement } from '#server/core/implement.ts'
import { addPlatformChannel } from '#server/domain/platforms/account-channels.ts'
import { destinationOf, nameOf, pageOf, streamKeyOf } from './destination-input.ts'
import { addChannel as add } from '#server/domain/channels/add.ts'

type Ctx = Context<'editor'>
type Keyed = ParsedInput<typeof addChannel.custom>
type OfPage = ParsedInput<typeof addChannel.kick>

/** A handler per platform. */
const family = <P extends string, I>(platforms: readonly P[], handle: (type: P, input: I, ctx: Ctx) => Answered) =>
  Object.fromEntries(platforms.map((type) => [type, (input: I, ctx: Ctx) => handle(type, input, ctx)])) as {
    [K in P]: (input: I, ctx: Ctx) => Answered
  }
type Answered = Promise<{ success: boolean; channel_id: number; active: boolean }>

export const addChannelRoutes = implement(addChannel, {
  ...family(keyPlatforms, (type, { name, ...input }: Keyed, ctx) => byKey(ctx, { ...input, type, name })),
  ...family(pagePlatforms, (type, { channel_url, ...input }: OfPage, ctx) => {
    const page = pageOf(channel_url)
    return byKey(ctx, { ...input, type, name: page.name, channel_url: page.url })
  }),
  any: ({ channel_url, ...input }, ctx) =>
    byKey(ctx, channel_url ? { ...input, channel_url: pageOf(channel_url).url } : input),
  srt: ({ project_id, name, ingress_url }, ctx) => {
    const destination = destinationOf(ctx, ingress_url, { property: 'ingress_url', type: 'srt' })
    return answer(ctx, { projectId: project_id, type: 'srt', name: nameOf(name), destination })
  },
  vk: ({ project_id, account_id, channel_id }, ctx) =>
    ofAccount(ctx, { projectId: project_id, platform: 'vk', accountId: account_id, placeId: channel_id }),
  ok: ({ project_id, account_id, channel_id, rtmp_url, stream_key }, ctx) => {
    const destination = destinationOf(ctx, rtmp_url, { property: 'rtmp_url', type: 'ok' })
    const ingest = { destination, streamKey: streamKeyOf(stream_key) }
    return ofAccount(ctx, { projectId: project_id, platform: 'ok', accountId: account_id, placeId: channel_id, ingest })
  },
})

interface ByKey {
  readonly project_id: number
  readonly type: PlatformType
  readonly name: string
  readonly rtmp_url: string
  readonly stream_key: string
  readonly channel_url?: string | undefined
}

function byKey(ctx: Ctx, { project_id, type, name, rtmp_url, stream_key, channel_url }: ByKey): Answered {
  const destination = destinationOf(ctx, rtmp_url, { property: 'rtmp_url', type })
  const streamKey = streamKeyOf(stream_key)
  return answer(ctx, {
    projectId: project_id,
    type,
    name: nameOf(name),
    destination,
    streamKey,
    ...(channel_url ? { channelUrl: channel_url } : {}),
  })
}

async function answer(ctx: Ctx, channel: Parameters<typeof add>[2]): Answered {
  const { channelId, active } = await add(ctx, ctx.user, channel)
  return { success: true, channel_id: channelId, active }
}

async function ofAccount(ctx: Ctx, channel: Parameters<typeof addPlatformChannel>[2]): Answered {
  const { id, active } = await addPlatformChannel(ctx, ctx.user, channel)
  return { success: true, channel_id: id, active }
}

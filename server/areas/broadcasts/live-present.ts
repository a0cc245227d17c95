// What of a broadcast moves: its channels with what their platforms say, and the realtime channels that tell changes.
import type { LiveRestreams } from '#contract/entities/broadcast.ts'
import { channelName } from '#contract/events/channels.ts'
import type { ProjectAccess, Services, User } from '#server/core/context.ts'
import { type BroadcastRow, listRestreams } from '#server/domain/broadcasts-store.ts'
import { signChannel } from '#server/domain/realtime-tokens.ts'

/** The channels of a broadcast, and tokens of where changes are told. */
export async function presentLive(
  ctx: Services & { readonly user: User; readonly project: ProjectAccess },
  { id }: BroadcastRow,
): Promise<LiveRestreams> {
  const told = async (type: 'broadcast_restreams' | 'broadcast_restream_stats') => {
    const channel = channelName(type, id)
    return { channel, token: await signChannel(ctx, ctx.project, channel, ctx.user) }
  }
  const restreams = await listRestreams(ctx.db, [id])
  return {
    results: restreams.map((one) => ({
      id: one.id,
      channel_id: one.channel_id,
      channel_name: one.name,
      channel_type: one.type,
      url: one.url,
      viewer: one.viewers,
      message: null,
      like: null,
    })),
    centrifuge: {
      update_url_channel: await told('broadcast_restreams'),
      update_stats_channel: await told('broadcast_restream_stats'),
    },
  }
}

// Restreams of a broadcast with the figures of their platforms, and tokens of the realtime channels that publish changes.
import type { LiveRestreams } from '#contract/entities/broadcast.ts'
import { channelName } from '#contract/events/channels.ts'
import type { Services } from '#server/core/context.ts'
import { countReceived } from '#server/domain/chat/counts.ts'
import { type BroadcastRow, listRestreams, type RestreamRow } from '#server/domain/broadcasts/store.ts'

/**
 * Presents the restreams of a broadcast.
 * @param sign signs the token of a realtime channel for the caller
 */
export async function presentLive(
  { db }: Pick<Services, 'db'>,
  { id }: Pick<BroadcastRow, 'id'>,
  sign: (channel: string) => string | Promise<string>,
): Promise<LiveRestreams> {
  const subscription = async (type: 'broadcast_restreams' | 'broadcast_restream_stats') => {
    const channel = channelName(type, id)
    return { channel, token: await sign(channel) }
  }
  const restreams = await listRestreams(db, [id])
  const messages = await countReceived(db, [id])
  return {
    results: restreams.map((row) => ({
      ...presentChat(row),
      id: row.id,
      channel_name: row.name,
      channel_type: row.type,
      ...(row.url !== null && { url: row.url }),
      ...(row.viewers !== null && { viewer: row.viewers }),
      ...(messages.has(row.id) && { message: messages.get(row.id) }),
    })),
    centrifuge: {
      update_url_channel: await subscription('broadcast_restreams'),
      update_stats_channel: await subscription('broadcast_restream_stats'),
    },
  }
}

/** A restream as overlays get it, and clients of the earlier snapshot. */
export const presentChat = ({ id, channel_id, name, type, photo, viewers }: RestreamRow) => ({
  restream_id: id,
  channel_id,
  name,
  image: photo ?? '',
  platform: type,
  viewers,
})

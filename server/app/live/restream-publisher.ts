// Publishes state changes of restreams to realtime channels.
import type { Services } from '#server/core/context.ts'
import { countReceived } from '#server/domain/chat/counts.ts'
import type { RestreamRow } from '#server/domain/broadcasts/store.ts'
import type { ViewerReading } from '#server/domain/broadcasts/live-viewers.ts'
import type { wireStatusOf } from '#server/domain/broadcasts/live-facts.ts'
import { publish } from '#server/domain/realtime/realtime.ts'

type Status = ReturnType<typeof wireStatusOf>
/** Status of each channel on the wire, by its id. */
export type Statuses = ReadonlyMap<number, Status>

interface Change {
  readonly broadcastId: number
  readonly restreams: readonly RestreamRow[]
  /** Published and current status by channel. Missing channels are off air. */
  readonly was: Statuses
  readonly is: Statuses
}

const on: readonly Status[] = ['live', 'pending', 'error']

/** Publishes the difference. */
export function publishRestreams(services: Services, projectId: number, change: Change): void {
  for (const channelId of new Set([...change.was.keys(), ...change.is.keys()])) {
    const [before, now] = [change.was.get(channelId) ?? 'offline', change.is.get(channelId) ?? 'offline']
    if (before !== now) publishOne(services, projectId, change, { channelId, before, now })
  }
}

function publishOne(
  services: Services,
  projectId: number,
  { broadcastId, restreams }: Change,
  { channelId, before, now }: { readonly channelId: number; readonly before: Status; readonly now: Status },
): void {
  const channels = { type: 'channels', id: projectId } as const
  const broadcast = { type: 'broadcast', id: broadcastId } as const
  const row = restreams.find((one) => one.channel_id === channelId && one.broadcast_id === broadcastId)
  const restream_id = row?.id ?? 0
  const about = { broadcast_id: broadcastId, event_id: crypto.randomUUID(), restream_id }
  publish(services, channels, {
    event: 'channel-status',
    payload: { channel_id: channelId, value: now, delay: null, timer: null },
  })
  if (!on.includes(before) && on.includes(now)) {
    const user_started = { id: null, name: row?.name ?? '', photo: null, video_url: row?.url ?? null }
    publish(services, channels, {
      event: 'channel-started',
      payload: { channel_id: channelId, restream_id, user_started },
    })
  }
  if (on.includes(before) && !on.includes(now))
    publish(services, channels, { event: 'channel-stopped', payload: { channel_id: channelId, restream_id } })
  if (now === 'live')
    publish(services, broadcast, { event: 'restreams.started', ...about, payload: { link: row?.url ?? null } })
  else if (before === 'live') publish(services, broadcast, { event: 'restreams.stopped', ...about, payload: null })
}

/** Publishes viewing addresses that have become known. */
export function publishUrls(services: Services, was: readonly RestreamRow[], is: readonly RestreamRow[]): void {
  for (const { id, broadcast_id, url } of is) {
    if (url !== null && url !== was.find((one) => one.id === id)?.url)
      publish(services, { type: 'broadcast_restreams', id: broadcast_id }, { id, videoUrl: url })
  }
}

/** Publishes viewer counts, and counts of received messages. Likes are not counted. */
export async function publishViews(services: Services, readings: readonly ViewerReading[]): Promise<void> {
  const messages = await countReceived(services.db, [...new Set(readings.map(({ restream }) => restream.broadcast_id))])
  for (const { restream, viewers } of readings) {
    if (viewers === null) continue
    const { id, broadcast_id, channel_id, type } = restream
    const views = {
      event: 'views' as const,
      broadcast_id,
      event_id: crypto.randomUUID(),
      restream_id: id,
      platform: type,
    }
    publish(services, { type: 'broadcast', id: broadcast_id }, { ...views, payload: viewers })
    const stats = { id, channel_id, viewer: viewers, message: messages.get(id) ?? 0, like: 0 }
    publish(services, { type: 'broadcast_restream_stats', id: broadcast_id }, stats)
  }
}

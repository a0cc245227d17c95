// Publishes changes to realtime connections, after the transaction that made them.
import type { Channel, ChannelType } from '#contract/events/channels.ts'
import type {
  BroadcastPublication,
  ChannelEvent,
  LiveEvent,
  MediaFileEvent,
  ProjectEvent,
  RestreamStats,
  RestreamUrl,
  WidgetEvent,
} from '#contract/events/publications.ts'
import type { Services } from '#server/core/context.ts'

/** Publications by kind of channel. */
interface PublishedIn {
  project: ProjectEvent
  channels: ChannelEvent
  broadcast: BroadcastPublication
  broadcast_restreams: RestreamUrl
  broadcast_restream_stats: RestreamStats
  project_live: LiveEvent
  widget_template: WidgetEvent
  media_file: MediaFileEvent
}

type PublishServices = Pick<Services, 'realtime' | 'log'>

/**
 * Publishes to the subscribers of a channel. Call it after the transaction, so that a rollback publishes nothing. Never
 * throws and never waits: a failed publication does not fail the write.
 * @example publish(services, { type: 'project', id: projectId }, { event: 'project-update', payload: {} })
 */
export function publish<T extends ChannelType>(
  { realtime, log }: PublishServices,
  channel: Channel & { readonly type: T },
  data: PublishedIn[T],
): void {
  try {
    realtime.publish(channel, data)
  } catch (error) {
    log.error({ err: error, channel: channel.type }, 'A publication was lost')
  }
}

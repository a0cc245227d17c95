// Telling the people who look: what happened goes out to open connections, after the transaction that made it so.
import type { Channel, ChannelType } from '#contract/events/channels.ts'
import type {
  BroadcastPublication,
  ChannelEvent,
  LiveEvent,
  ProjectEvent,
  RestreamStats,
  RestreamUrl,
} from '#contract/events/publications.ts'
import type { Services } from '#server/core/context.ts'

/** What is published in a channel of each kind. */
interface PublishedIn {
  project: ProjectEvent
  channels: ChannelEvent
  broadcast: BroadcastPublication
  broadcast_restreams: RestreamUrl
  broadcast_restream_stats: RestreamStats
  project_live: LiveEvent
}

type Part = Pick<Services, 'realtime' | 'log'>

/**
 * Tells whoever listens. Call it after the transaction: what is rolled back was never said. It never throws and never
 * waits; nobody's change may fail because somebody else could not be told.
 * @example publish(services, { type: 'project', id: projectId }, { event: 'project-update', payload: {} })
 */
export function publish<T extends ChannelType>(
  { realtime, log }: Part,
  channel: Channel & { readonly type: T },
  data: PublishedIn[T],
): void {
  try {
    realtime.publish(channel, data)
  } catch (error) {
    log.error({ err: error, channel: channel.type }, 'A publication was lost')
  }
}

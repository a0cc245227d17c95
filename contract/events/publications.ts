// Publications in realtime channels (published C.3): flat objects with `event` and `payload`.
import * as z from 'zod/mini'
import { maybe } from '#contract/core/lenient.ts'
import { ChannelStatus } from '#contract/entities/channel.ts'
import type { MediaError, MediaStatus, MediaStep } from '#contract/entities/media.ts'
import type { WidgetSettings } from '#contract/entities/widget.ts'
import { ChatBatch } from './chat.ts'

const event = <N extends string, P extends z.ZodMiniType>(name: N, payload: P) =>
  z.object({ event: z.literal(name), payload })

const Stream = z.object({ broadcast_id: z.int(), stream_id: z.int(), app: z.string() })
const Nothing = z.object({})

/** Publications in `project#…`. `notification` and `project-update` only announce that data has to be fetched again. */
export const ProjectEvent = z.discriminatedUnion('event', [
  event('stream-start', Stream),
  z.object({ event: z.literal('stream-end'), payload: maybe(Stream) }),
  event('notification', Nothing),
  event('project-update', Nothing),
  event(
    'important-event',
    z.object({
      type: z.enum(['add', 'remove']),
      content_type: z.enum(['debug', 'info', 'warning', 'error']),
      content_title: z.string(),
      content_text: z.string(),
      content_actions: z.array(z.unknown()),
    }),
  ),
  event(
    'payment-update',
    z.object({
      payment_id: z.int(),
      provider: z.string(),
      status: z.enum(['pending', 'success', 'error', 'cancel']),
      tx_hash: maybe(z.string()),
      confirmations: maybe(z.int()),
      required_confirmations: maybe(z.int()),
      amount_units: maybe(z.string()),
      amount_decimal: maybe(z.string()),
    }),
  ),
])
export type ProjectEvent = z.output<typeof ProjectEvent>

/** Publications in `$project_channels:…`. */
export const ChannelEvent = z.discriminatedUnion('event', [
  event(
    'channel-started',
    z.object({
      channel_id: z.int(),
      restream_id: z.int(),
      user_started: z.object({
        id: z.nullable(z.int()),
        name: z.string(),
        photo: z.nullable(z.string()),
        video_url: z.nullable(z.string()),
      }),
    }),
  ),
  event('channel-stopped', z.object({ channel_id: z.int(), restream_id: z.int() })),
  event(
    'channel-status',
    z.object({
      channel_id: z.int(),
      value: z.enum([...ChannelStatus.options, 'beta', 'dev']),
      delay: z.nullable(z.number()),
      timer: z.nullable(z.number()),
    }),
  ),
])
export type ChannelEvent = z.output<typeof ChannelEvent>

const InBroadcast = { broadcast_id: z.int(), event_id: z.string(), restream_id: z.int() }

/** Publications in `$broadcast:…`. */
export const BroadcastPublication = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('restreams.started'),
    ...InBroadcast,
    payload: z.object({ link: z.nullable(z.string()) }),
  }),
  z.object({ event: z.literal('restreams.stopped'), ...InBroadcast, payload: z.null() }),
  // Decided: subscribers with a chat key have no other channel that tells them.
  z.object({ event: z.literal('broadcast.ended'), ...InBroadcast, restream_id: z.null(), payload: z.null() }),
  z.object({ event: z.literal('views'), ...InBroadcast, platform: z.string(), payload: z.number() }),
  ChatBatch,
])
export type BroadcastPublication = z.output<typeof BroadcastPublication>

/** Publications in `$broadcast_restreams:…` and `$broadcast_restream_stats:…`: no `event`. */
export interface RestreamUrl {
  readonly id: number
  readonly videoUrl: string | null
}
export interface RestreamStats {
  readonly id: number
  readonly channel_id: number
  readonly viewer: number
  readonly message: number
  readonly like: number
}

/**
 * Publications in `$project_live:…`, which is ours: events for a control room.
 * `live-status` is the whole response of `broadcast/status`, at each change and each second on air.
 * `broadcast-event` is a new row of `broadcast/events`, or a known one that repeats. `changed` names a
 * write in the project, and the reads, groups or areas whose data it makes stale: clients fetch them again.
 */
export const LiveEvent = z.discriminatedUnion('event', [
  event('live-status', z.record(z.string(), z.unknown())),
  z.object({ event: z.literal('broadcast-event'), broadcast_id: z.int(), payload: z.record(z.string(), z.unknown()) }),
  event('changed', z.object({ operation: z.string(), stale: z.readonly(z.array(z.string())) })),
])
export type LiveEvent = z.output<typeof LiveEvent>

/** Publications in `$media_file:…` (decided): progress of a film, at most once a second. */
export interface MediaFileEvent {
  readonly event: 'media-file'
  readonly payload: {
    readonly media_id: number
    readonly status: MediaStatus
    /** While it is processed. */
    readonly step?: MediaStep
    /** Percent of the step. */
    readonly done: number
    readonly error?: MediaError
  }
}

/** Publications in `$widget_template:…`: the settings of a widget have changed. */
export interface WidgetEvent {
  readonly event: 'widget-template-payload'
  readonly payload: WidgetSettings | null
}

/** Any publication. */
export type Publication =
  | MediaFileEvent
  | WidgetEvent
  | ProjectEvent
  | ChannelEvent
  | BroadcastPublication
  | LiveEvent
  | RestreamUrl
  | RestreamStats

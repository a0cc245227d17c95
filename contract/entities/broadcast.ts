// Schemas of broadcasts: restreams, events, graphs.
import * as z from 'zod/mini'
import { DateTime, maybe, Moment } from '#contract/core/lenient.ts'
import { Id } from '#contract/core/wire.ts'
import { RestreamState } from './on-air.ts'

/** `away` (decided): seconds without an encoder, which are no time on air. */
const When = {
  created_at: DateTime,
  finish_at: z.nullable(DateTime),
  away: z.optional(z.int()),
  reconnects: z.int(),
}

/** Broadcast in the history. */
export const BroadcastRow = z.object({
  id: z.int(),
  ...When,
  restreams: z.array(z.object({ type: z.string(), viewers: z.int(), message: z.int(), date_live: maybe(DateTime) })),
  /** Recorded files (decided). */
  recordings: maybe(z.int()),
})
export type BroadcastRow = z.output<typeof BroadcastRow>

/** Broadcast with its destinations. */
export const Broadcast = z.object({
  id: z.int(),
  ...When,
  bitrate: z.nullable(z.int()),
  fps: z.nullable(z.number()),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  location: z.nullable(z.string()),
  encoder: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  viewers: z.int(),
  message: z.int(),
  restreams: z.array(
    z.object({
      id: z.int(),
      channel_id: z.int(),
      name: z.string(),
      type: z.string(),
      photo: z.nullable(z.string()),
      video: z.nullable(z.string()),
      viewers: z.int(),
      message: z.int(),
      created_at: DateTime,
      state: RestreamState,
      reconnects: z.int(),
      bytes: z.number(),
      // Decided: time of the first live state, and the final problem.
      date_live: maybe(DateTime),
      reason: maybe(z.string()),
      words: maybe(z.string()),
    }),
  ),
})
export type Broadcast = z.output<typeof Broadcast>

/** Severity of an event, lowest first. */
export const eventLevels = ['debug', 'info', 'warning', 'error'] as const
/** Kinds of sources (published): encoders, scheduled files, and transcoders, which have no events of their own. */
export const sourceApps = ['live', 'scheduler', 'transcoder'] as const

/**
 * Event of a broadcast. `kind`, `reason` and `words` are decided: `text` is English. A repeated event has a
 * `count` and the time of the last repetition (decided).
 */
export const BroadcastEvent = z.object({
  id: z.int(),
  level: z.enum(eventLevels),
  text: z.string(),
  created_at: DateTime,
  app: z.optional(z.enum(sourceApps)),
  server: maybe(
    z.object({
      id: z.int(),
      country_name: z.string(),
      country_code: z.string(),
      city: z.string(),
      ip: z.string(),
    }),
  ),
  platform: maybe(z.string()),
  kind: z.string(),
  reason: maybe(z.string()),
  words: maybe(z.string()),
  count: z.optional(z.int()),
  last_at: z.optional(DateTime),
  channel: maybe(z.object({ id: z.int(), name: z.string(), photo: maybe(z.string()), type: z.string() })),
})
export type BroadcastEvent = z.output<typeof BroadcastEvent>

/** Filters, order and position of an event list. */
export const eventFilters = {
  channels: z.optional(z.array(Id).check(z.maxLength(100))),
  level: z.optional(z.enum(eventLevels)),
  platform: z.optional(z.string().check(z.maxLength(50))),
  app: z.optional(z.enum(sourceApps)),
  server: z.optional(z.string().check(z.maxLength(255))),
  date_from: z.optional(Moment),
  date_to: z.optional(Moment),
  offset: z._default(z.int().check(z.minimum(0), z.maximum(1_000_000)), 0),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(100)), 50),
  sort_by_date: z._default(z.enum(['asc', 'desc']), 'desc'),
  cursor_id: z.optional(Id),
  cursor_datetime: z.optional(DateTime),
}

/** Notes on `eventFilters`. */
export const eventNotes = {
  level: 'this level and no other',
  server: 'name or address of a relay node',
  date_from: 'from this moment on; a day is its midnight, UTC',
  date_to: 'before this moment',
  cursor_id: '`next_cursor_id` of the page before; new events move nothing then',
  cursor_datetime: '`next_cursor_datetime` of the page before; left out: looked up by `cursor_id`',
} as const

/** Page of events. The cursors are present when there are more. */
export const EventPage = z.object({
  results: z.array(BroadcastEvent),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  sort_by_date: z.enum(['asc', 'desc']),
  next_cursor_id: z.optional(z.int()),
  next_cursor_datetime: z.optional(DateTime),
})
export type EventPage = z.output<typeof EventPage>

/** Points of a graph: `labels` are Unix seconds, `data` the figures that the operation is named after. */
export const Graph = z.object({
  data: z.array(z.number()),
  labels: z.array(z.int()),
  setting: z.object({ step: z.int(), unit: z.string() }),
})
export type Graph = z.output<typeof Graph>

const Subscription = z.object({ token: z.string(), channel: z.string() })

/**
 * Restreams of a broadcast with the figures of their platforms, in the fields of both snapshots, and the realtime
 * channels that publish changes.
 */
export const LiveRestreams = z.object({
  results: z.array(
    z.object({
      id: z.int(),
      channel_id: z.int(),
      channel_name: z.string(),
      channel_type: z.string(),
      url: z.optional(z.string()),
      viewer: z.optional(z.int()),
      message: z.optional(z.int()),
      like: z.optional(z.int()),
      restream_id: z.int(),
      name: z.string(),
      image: z.string(),
      platform: z.string(),
      viewers: z.nullable(z.int()),
    }),
  ),
  centrifuge: z.object({ update_url_channel: Subscription, update_stats_channel: Subscription }),
})
export type LiveRestreams = z.output<typeof LiveRestreams>

/** Notes on `LiveRestreams`. */
export const liveNotes = {
  viewer: 'left out: the platform does not report it',
  viewers: 'as `viewer`, by its earlier name; null: the platform does not report it',
  url: 'page of the stream at the platform',
} as const

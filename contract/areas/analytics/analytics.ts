// Analytics: figures of broadcasts. `stream_id` and `broadcast_id` are the same number here.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { Id, InProject, Page, pageOf } from '#contract/core/wire.ts'
import { eventFilters, eventNotes, EventPage, Graph } from '#contract/entities/broadcast.ts'

const OfStream = z.extend(InProject, { stream_id: Id })

/** A chat message (published). */
const Message = z.object({
  timestamp: DateTime,
  entities: z.array(z.record(z.string(), z.unknown())),
  restream_id: z.int(),
  broadcast_id: z.int(),
  platform: z.string(),
  error: z.optional(z.string()),
  action: z.enum(['delivered', 'got', 'create']),
})

const Span = z.nullable(z.object({ avg: z.int(), min: z.int(), max: z.int() }))

/** Figures of a broadcast. */
export const BroadcastFigures = z.object({
  id: z.int(),
  created_at: DateTime,
  finish_at: z.nullable(DateTime),
  away: z.optional(z.int()),
  reconnects: z.int(),
  bitrate: Span,
  viewers: Span,
  channels: z.int(),
  platforms: z.array(z.string()),
  warnings: z.int(),
  errors: z.int(),
})
export type BroadcastFigures = z.output<typeof BroadcastFigures>

export const analytics = group(
  'analytics.analytics',
  { prefix: 'analytics', title: 'Analytics' },
  {
    events: read('stream/events', {
      name: 'Events for stream',
      input: z.extend(OfStream, eventFilters),
      output: EventPage,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: eventNotes,
    }),
    bitrate: read('stream/graph/bitrate', {
      name: 'Bitrate for stream',
      input: OfStream,
      output: Graph,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: { data: 'kbps, averaged over a step', labels: 'Unix seconds of the start of each step' },
    }),
    viewers: read('stream/graph/viewers', {
      name: 'Viewers for stream',
      input: OfStream,
      output: Graph,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: { data: 'viewers on all platforms that report them', labels: 'Unix seconds of the start of each step' },
    }),
    messages: read('broadcast/messages', {
      name: 'Get messages of a broadcast',
      input: z.extend(InProject, { broadcast_id: Id }),
      output: z.object({ items: z.array(Message) }),
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
    }),
    broadcasts: read('broadcasts', {
      name: 'Compare broadcasts',
      input: z.extend(z.extend(InProject, Page.shape), {
        date_from: z.optional(DateTime),
        date_to: z.optional(DateTime),
      }),
      output: pageOf(BroadcastFigures),
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'decided',
      notes: {
        date_from: 'began at this moment or after it',
        date_to: 'began before this moment',
        bitrate: 'kbps over the broadcast; null: not measured, or no longer kept',
        viewers: 'on all platforms that report them; null: none did',
        warnings: 'events of this level',
        errors: 'events of this level',
      },
    }),
  },
)

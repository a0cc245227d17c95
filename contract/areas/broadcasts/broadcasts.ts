// Broadcast: one time on air. It begins with the encoder, survives its short absences, and goes to many channels.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime, maybe } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, Page, pageOf, Success } from '#contract/core/wire.ts'

/** States of a restream, in the order in which it comes into them; what they mean stands in docs/relay.md. */
export const RestreamState = z.enum([
  'idle',
  'connecting',
  'publishing',
  'live',
  'degraded',
  'backoff',
  'rejected',
  'stopped',
])
export type RestreamState = z.output<typeof RestreamState>

/** One channel of a broadcast that is on air. `id` and `status` are published, the rest is decided. */
export const Restream = z.object({
  id: z.int(),
  status: z.string(),
  channel_id: z.optional(z.int()),
  name: z.optional(z.string()),
  type: z.optional(z.string()),
  state: z.optional(RestreamState),
  since: z.optional(DateTime),
  reason: maybe(z.string()),
  words: maybe(z.string()),
  attempt: z.optional(z.int()),
  next_retry: maybe(DateTime),
  reconnects: z.optional(z.int()),
  bytes: z.optional(z.number()),
  queued: z.optional(z.number()),
  dropped: z.optional(z.int()),
  date_live: maybe(DateTime),
})
export type Restream = z.output<typeof Restream>

const Offline = z.object({ kind: z.literal('inactive'), status: z.literal('offline') })

const OnAir = z.object({
  kind: z.literal('live'),
  app: z.literal('live'),
  broadcast_id: z.int(),
  stream_id: z.int(),
  status: z.enum(['active', 'lost']),
  action: z.literal('active'),
  reconnects: z.int(),
  date_start: DateTime,
  resolution: z.string(),
  fps: z.nullable(z.number()),
  bitrate: z.nullable(z.int()),
  key_frame: z.nullable(z.number()),
  video_codec_name: z.nullable(z.string()),
  audio_codec_name: z.nullable(z.string()),
  encoder: z.string(),
  server: z.string(),
  date_sample: z.nullable(DateTime),
  restreams: z.array(Restream),
})
export type OnAir = z.output<typeof OnAir>

/** What a project has on air, or that it has nothing. */
export const BroadcastStatus = z.discriminatedUnion('kind', [Offline, OnAir])
export type BroadcastStatus = z.output<typeof BroadcastStatus>

const When = { created_at: DateTime, finish_at: z.nullable(DateTime), reconnects: z.int() }

/** A broadcast in the history. */
export const BroadcastRow = z.object({
  id: z.int(),
  ...When,
  restreams: z.array(z.object({ type: z.string(), viewers: z.int(), message: z.int() })),
})

/** A broadcast with where it went. */
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
    }),
  ),
})
export type Broadcast = z.output<typeof Broadcast>

/** What happened in a broadcast. `kind`, `reason` and `words` are decided: `text` is English. */
export const BroadcastEvent = z.object({
  id: z.int(),
  level: z.enum(['debug', 'info', 'warning', 'error']),
  text: z.string(),
  created_at: DateTime,
  kind: z.string(),
  reason: maybe(z.string()),
  words: maybe(z.string()),
  channel: maybe(z.object({ id: z.int(), name: z.string(), type: z.string() })),
})
export type BroadcastEvent = z.output<typeof BroadcastEvent>

/** Points of a graph: `labels` are Unix seconds, `data` what the operation's name says. */
export const Graph = z.object({
  data: z.array(z.number()),
  labels: z.array(z.int()),
  setting: z.object({ step: z.int(), unit: z.string() }),
})

const OfBroadcast = z.extend(InProject, { broadcast_id: Id })
const order = z._default(z.enum(['asc', 'desc']), 'asc')

export const broadcasts = group(
  'broadcasts.broadcasts',
  { prefix: 'broadcast', title: 'Broadcast' },
  {
    status: read('status', {
      name: 'Get status of broadcast',
      input: InProject,
      output: BroadcastStatus,
      auth: 'viewer',
      provenance: 'published',
      notes: {
        status: '`lost`: the encoder is away, its channels are kept for the time of grace',
        bitrate: 'kbps, measured over the last second',
        key_frame: 'seconds between keyframes',
      },
    }),
    list: read('list', {
      name: 'Get list of broadcasts',
      input: z.extend(z.extend(InProject, Page.shape), { order }),
      output: pageOf(BroadcastRow),
      auth: 'viewer',
      provenance: 'published',
      version: '3',
    }),
    get: read('', {
      name: 'Get one broadcast',
      input: OfBroadcast,
      output: Broadcast,
      auth: 'viewer',
      provenance: 'published',
      version: '3',
    }),
    events: read('events', {
      name: 'Get events of a broadcast',
      input: z.extend(OfBroadcast, {
        level: z.optional(z.enum(['debug', 'info', 'warning', 'error'])),
        offset: z._default(z.int().check(z.minimum(0), z.maximum(1_000_000)), 0),
        limit: z._default(z.int().check(z.minimum(1), z.maximum(100)), 50),
        sort_by_date: z._default(z.enum(['asc', 'desc']), 'desc'),
      }),
      output: pageOf(BroadcastEvent),
      auth: 'viewer',
      provenance: 'published',
      version: '4',
    }),
    bitrate: read('graph/bitrate', {
      name: 'Get graph of bitrate',
      input: OfBroadcast,
      output: Graph,
      auth: 'viewer',
      provenance: 'published',
      version: '3',
      notes: { data: 'kbps, averaged over a step', labels: 'Unix seconds at which a step begins' },
    }),
    stop: write('POST', 'stop', {
      name: 'Stop a broadcast',
      input: OfBroadcast,
      output: Success,
      auth: 'editor',
      provenance: 'published',
    }),
    retry: write('POST', 'restreams/retry', {
      name: 'Try a channel again at once',
      input: z.extend(OfBroadcast, { channel_id: Id }),
      output: Success,
      status: 201,
      auth: 'editor',
      provenance: 'decided',
    }),
  },
)

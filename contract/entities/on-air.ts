// On-air status: the running broadcast, and each channel that it feeds.
import * as z from 'zod/mini'
import { DateTime, maybe } from '#contract/core/lenient.ts'

/** States of a restream, in the usual order; docs/relay.md explains them. */
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

/**
 * What the platform shows of a live channel (decided). `not_seen`: nothing; `ended_there`: it did before; `unknown`: no account, no
 * such API, or no recent answer.
 */
export const PlatformSight = z.enum(['seen', 'not_seen', 'ended_there', 'unknown'])
export type PlatformSight = z.output<typeof PlatformSight>

/** One channel of a running broadcast. `id` and `status` are published, the rest is decided. */
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
  /** The channel receives a smaller picture of the encoder, because it was too slow (decided). */
  smaller: z.optional(z.boolean()),
  date_live: maybe(DateTime),
  url: maybe(z.string()),
  viewers: maybe(z.int()),
  /** `words`: why the platform does not show it, in its words. */
  seen: z.optional(
    z.object({
      state: PlatformSight,
      since: z.nullable(DateTime),
      checked: z.nullable(DateTime),
      words: z.optional(z.string()),
    }),
  ),
})
export type Restream = z.output<typeof Restream>

/** Faults of the incoming stream, the worst first (decided). */
export const inputFaults = [
  'no_video',
  'no_audio',
  'black',
  'silent',
  'keyframes',
  'bitrate_low',
  'fps_low',
  'fps_uneven',
  'audio_low',
] as const
export type InputFault = (typeof inputFaults)[number]

/** Reasons of a verdict (decided): faults of the incoming stream, of the connection to the encoder, and of the channels. */
export const verdictKinds = [
  'lost',
  'held',
  'bitrate_refused',
  'bitrate_high',
  'channels_down',
  'channels_some',
  'not_seen',
  ...inputFaults,
] as const
export type VerdictKind = (typeof verdictKinds)[number]

/**
 * One verdict on a broadcast (decided): its level is that of the first reason. Without a reason it is `good`, or `unknown` before the
 * stream has been measured.
 */
export const Verdict = z.object({
  level: z.enum(['unknown', 'good', 'warning', 'problem']),
  reasons: z.array(
    z.object({
      kind: z.enum(verdictKinds),
      level: z.enum(['warning', 'problem']),
      value: z.nullable(z.number()),
      limit: z.nullable(z.number()),
    }),
  ),
})
export type Verdict = z.output<typeof Verdict>

/**
 * What channels receive in the place of the encoder (decided): a picture of the project, a clip with its sound, or the last frame.
 * A word of a newer service is read as a picture.
 */
export const Fill = z.catch(z.enum(['picture', 'clip', 'frame']), 'picture')
export type FillKind = z.output<typeof Fill>

/** A backup encoder (decided): it sends beside the main encoder, or it is on air. */
export const backupStates = ['connected', 'on_air'] as const

const Offline = z.object({
  kind: z.literal('inactive'),
  status: z.literal('offline'),
  stopped_broadcast_id: z.optional(z.int()),
})

/** Sources on air (published): an encoder, or scheduled files. */
const sources = ['live', 'scheduler'] as const

const OnAir = z.object({
  kind: z.enum(sources),
  app: z.enum(sources),
  /** While scheduled files are on air: the schedule, and the file, of `duration` seconds. */
  schedulerId: z.optional(z.int()),
  video_id: z.optional(z.int()),
  name: z.optional(z.string()),
  duration: z.optional(z.number()),
  broadcast_id: z.int(),
  stream_id: z.int(),
  status: z.enum(['active', 'pause', 'lost']),
  action: z.enum(['active', 'stopped']),
  reconnects: z.int(),
  date_start: DateTime,
  /** Seconds without an encoder before the absence since `date_lost`. */
  away: z.optional(z.int()),
  date_lost: z.optional(DateTime),
  date_close: z.optional(DateTime),
  fill: z.optional(Fill),
  backup: z.optional(z.enum(backupStates)),
  resolution: z.string(),
  fps: z.nullable(z.number()),
  bitrate: z.nullable(z.int()),
  bitrate_max: maybe(z.int()),
  bitrate_state: z.optional(z.enum(['fine', 'high', 'refused'])),
  bitrate_judged: maybe(z.int()),
  verdict: z.optional(Verdict),
  key_frame: z.nullable(z.number()),
  paths: z.optional(z.array(z.object({ share: z.number() }))),
  video_codec_name: z.nullable(z.string()),
  audio_codec_name: z.nullable(z.string()),
  encoder: z.string(),
  server: z.string(),
  date_sample: z.nullable(DateTime),
  restreams: z.array(Restream),
})
export type OnAir = z.output<typeof OnAir>

/** On-air status of a project; empty when off air. */
export const BroadcastStatus = z.discriminatedUnion('kind', [Offline, OnAir])
export type BroadcastStatus = z.output<typeof BroadcastStatus>

// Stream key: secret that identifies an encoder's project, with the settings for recording and for the wait of the
// channels after an encoder disconnects.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { maybe } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { InProject, Success } from '#contract/core/wire.ts'

/** Least distance of both limits of the quality rule: an encoder at a limit would come and go. */
export const qualityFactorMin = 1.3
/** Longest wait of any plan, minutes. */
export const waitMinutesMax = 1440

/** A main encoder below `kbps` for `ms` milliseconds gives way to a backup; it takes over again above `back_kbps` for `back_ms`. */
const StreamQuality = z
  .object({
    kbps: z.int().check(z.minimum(100), z.maximum(20_000)),
    ms: z.int().check(z.minimum(3_000), z.maximum(60_000)),
    back_kbps: z.int().check(z.minimum(130), z.maximum(40_000)),
    back_ms: z.int().check(z.minimum(3_000), z.maximum(120_000)),
  })
  .check(
    z.refine(({ kbps, back_kbps }) => back_kbps >= kbps * qualityFactorMin, {
      error: `must be at least ${qualityFactorMin} times kbps`,
      path: ['back_kbps'],
    }),
  )
export type StreamQuality = z.output<typeof StreamQuality>

/** The key with its settings (published `GetStreamKeyResponse`). */
export const StreamKey = z.object({
  key: z.string(),
  masked: z.optional(z.boolean()),
  record: z.boolean(),
  wait: maybe(z.int()),
  hold: z.optional(z.boolean()),
  wait_max_minutes: maybe(z.int()),
  pause_media_service_file_id: maybe(z.int()),
  lost_media_service_file_id: maybe(z.int()),
  quality: maybe(StreamQuality),
})
export type StreamKey = z.output<typeof StreamKey>

const StatsAddress = z.object({ url: z.string() })
export type StatsAddress = z.output<typeof StatsAddress>

export const streamKeys = group(
  'ingest.stream-keys',
  { prefix: 'stream-keys', title: 'Stream key', stale: ['ingest.stream-keys'] },
  {
    get: read('', {
      name: 'Get stream credentials',
      input: InProject,
      output: StreamKey,
      auth: 'viewer',
      scope: 'broadcasts:write',
      provenance: 'published',
      notes: {
        key: 'whole for editors; for viewers only its last four signs, and then',
        masked: 'is true (decided)',
        wait: 'minutes that channels wait for a lost encoder; 0: the broadcast ends immediately',
        hold: 'decided: channels wait also after the encoder ended the stream itself',
        wait_max_minutes: 'longest wait of the plan',
        quality: 'decided: when a poor main encoder gives way to the backup; null: never',
      },
    }),
    setRecord: write('POST', 'record', {
      name: 'Update record',
      input: z.extend(InProject, { record: z.boolean() }),
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
    }),
    rotate: write('POST', 'rotate', {
      name: 'Replace the stream key',
      input: InProject,
      output: z.object({ key: z.string() }),
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
      carries: ['language'],
      replay: 'never',
      notes: { key: 'the new one; the old one is good for nothing from now on' },
    }),
    setWait: write('PUT', 'wait', {
      name: 'Set how long channels wait for a lost encoder',
      input: z.extend(InProject, {
        wait_minutes: z.int().check(z.minimum(0), z.maximum(waitMinutesMax)),
        hold: z.optional(z.boolean()),
      }),
      output: Success,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
      carries: ['language'],
      notes: {
        wait_minutes: '0: the broadcast ends immediately; maximum `wait_max_minutes`',
        hold: 'decided: also after the encoder ended the stream itself; default: true unless `wait_minutes` is 0',
      },
      stale: ['broadcasts.broadcasts.status', 'ingest.stream-keys'],
    }),
    setQuality: write('PUT', 'quality', {
      name: 'Set when a poor encoder gives way to the backup',
      input: z.extend(InProject, { quality: z.nullable(StreamQuality) }),
      output: Success,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'decided',
      notes: { quality: 'bitrates in kbps, times in milliseconds; null: never' },
    }),
    stats: read('stats', {
      name: 'Get the address of the encoder statistics',
      input: InProject,
      output: StatsAddress,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'decided',
      notes: { url: 'a secret: JSON with the figures of the encoder, in the form of SRT Live Server' },
    }),
    rotateStats: write('POST', 'stats/rotate', {
      name: 'Replace the address of the encoder statistics',
      input: InProject,
      output: StatsAddress,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'decided',
      replay: 'never',
      notes: { url: 'the new one; the old one is good for nothing from now on' },
      stale: ['ingest.stream-keys.stats'],
    }),
  },
)

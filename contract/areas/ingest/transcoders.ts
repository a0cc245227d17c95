// Transcoders: each encodes the project's stream once more, for the channels that are attached to it.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime, maybe } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Success } from '#contract/core/wire.ts'
import {
  NoTranscoding,
  presets,
  TranscoderMode,
  transcoderLimits,
  TranscoderTrouble,
  VideoCodec,
} from '#contract/entities/transcoder.ts'

const within = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z.int().check(z.minimum(min), z.maximum(max))

/** Name of a transcoder. */
export const transcoderName = z.string().check(z.maxLength(100))
const active = z.enum(['active', 'inactive'])

/** Encoding settings; a missing field keeps the value of the source. */
const picture = {
  width: z.optional(within(transcoderLimits.width)),
  height: z.optional(within(transcoderLimits.height)),
  fps: z.optional(within(transcoderLimits.fps)),
  vBitrate: z.optional(within(transcoderLimits.vBitrate)),
  aBitrate: z.optional(within(transcoderLimits.aBitrate)),
  rotation: z.optional(within(transcoderLimits.rotation)),
  bFrames: z.optional(within(transcoderLimits.bFrames)),
}

const form = {
  ...picture,
  videoCodec: z.optional(VideoCodec),
  preset: z.optional(z.enum(presets)),
  delay: z.optional(within(transcoderLimits.delay)),
  channelIds: z.optional(z.union([z.array(Id).check(z.maxLength(100)), Id])),
}

const units = {
  vBitrate: 'kbps',
  aBitrate: 'kbps',
  rotation: '1: a quarter to the right, 2: to the left',
  delay: 'seconds',
  channelIds: 'channels that get its output, and no others; left out: nothing changes; one number: that channel',
}

/** A channel that receives the output (published). */
const AttachedChannel = z.object({
  group_id: z.int(),
  name: z.string(),
  type: z.string(),
  active: z.boolean(),
  photo_default: z.nullable(z.string()),
  live: z.int(),
  status: z.string(),
  user_id: z.nullable(z.int()),
  transcoderId: z.int(),
})

/** State while the project is on air. */
const TranscoderState = z.object({
  status: active,
  bitrate: z.number(),
  delay: z.number(),
  start_at: DateTime,
  source_connected: z.boolean(),
  transcoder_running: z.boolean(),
  target_connected: z.boolean(),
  restarts: z.optional(z.int()),
  reason: z.optional(z.nullable(TranscoderTrouble)),
  on_card: z.optional(z.boolean()),
})

/** Transcoder in a list. */
export const Transcoder = z.object({
  id: z.int(),
  name: z.string(),
  createdAt: DateTime,
  ...picture,
  status: active,
  videoCodec: VideoCodec,
  channels: z.array(AttachedChannel),
  delay: z.int(),
  preset: z.string(),
  state: maybe(TranscoderState),
  mode: TranscoderMode,
})
export type Transcoder = z.output<typeof Transcoder>

const InTranscoder = z.extend(InProject, { transcoder_id: Id })
const act = (path: string, name: string, about: Readonly<Record<string, string>> = {}) =>
  write('POST', path, {
    name,
    input: InTranscoder,
    output: Success,
    status: 201,
    auth: 'editor',
    scope: 'broadcasts:write',
    provenance: 'published',
    notes: about,
  })

export const transcoders = group(
  'ingest.transcoders',
  {
    prefix: 'transcoder',
    title: 'Transcoders',
    stale: ['channels.channels', 'ingest.transcoders', 'projects.history'],
  },
  {
    list: read('list', {
      name: 'List',
      input: InProject,
      output: z.extend(listOf(Transcoder), {
        limit: z.optional(z.int()),
        codecs: z.optional(z.array(VideoCodec)),
        reason: z.optional(z.nullable(NoTranscoding)),
      }),
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: {
        ...units,
        status: '`inactive`: it was stopped, and its channels get nothing',
        state: 'null: the project is not on air',
        'state.bitrate': 'kbps of the output',
        'state.delay': 'seconds between input and output',
        'state.reason': 'decided: why it does not run',
        limit: 'decided: transcoders that a project may have',
        codecs: 'decided: codecs that the ingest servers can encode',
        reason: 'decided: why no server can, null where one can',
      },
    }),
    add: write('POST', 'add', {
      name: 'create',
      input: z.extend(InProject, { name: transcoderName, mode: z.optional(TranscoderMode), ...form }),
      output: z.int(),
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
      replay: 'never',
      notes: { ...units, mode: '`twitch`: within the limits of Twitch', videoCodec: 'default: h264' },
    }),
    update: write('POST', 'update', {
      name: 'update',
      input: z.extend(InTranscoder, { name: z.optional(transcoderName), ...form }),
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
      notes: {
        ...units,
        width: 'without it, like the other video settings, the source value',
        videoCodec: 'left out: stays',
      },
    }),
    remove: act('delete', 'delete', { transcoder_id: 'its channels receive the unchanged stream' }),
    stop: act('stop', 'stop', { transcoder_id: 'its channels receive nothing until it is started' }),
    start: write('POST', 'start', {
      name: 'start',
      input: InTranscoder,
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'decided',
      notes: { transcoder_id: 'one that was stopped' },
    }),
    resetDelay: act('reset-delay', 'Reset delay', { transcoder_id: 'drops the buffered input; the delay becomes 0' }),
  },
)

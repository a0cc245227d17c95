// Project: on-air status in one flat response, for programs such as an on-air light.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { Id } from '#contract/core/wire.ts'

/** Ingest and destinations of the project (published; `restrims` is the published spelling). */
const Info = z.object({
  restream_data: z.array(z.object({ id: z.int(), status: z.string() })),
  connect_id: z.int(),
  connect_id_v2: z.string(),
  fps: z.number(),
  key_frame: z.number(),
  count: z.int(),
  speed: z.number(),
  quality: z.number(),
  bitrate: z.int(),
  full_bitrate: z.int(),
  status: z.string(),
  restrims: z.int(),
})
/** Scheduled file that is on air. */
const Video = z.object({ task_id: z.int(), video_id: z.int(), name: z.string(), duration: z.number() })

export const liveStatus = group(
  'broadcasts.live-status',
  { prefix: 'project', title: 'Project' },
  {
    get: read('live-status', {
      name: 'Get live status',
      input: z.object({ project_id: z.optional(Id) }),
      output: z.object({
        live_groups_count: z.int(),
        stream_id: z.optional(z.int()),
        url: z.optional(z.string()),
        app: z.optional(z.string()),
        date: z.optional(DateTime),
        status: z.optional(z.string()),
        resolution: z.optional(z.string()),
        broadcast_id: z.optional(z.int()),
        action: z.optional(z.string()),
        info: z.optional(Info),
        video: z.optional(Video),
      }),
      auth: 'session',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: {
        project_id: 'decided: left out, the last selected project',
        live_groups_count: 'channels that are live',
        bitrate: 'kbps of the encoder',
        full_bitrate: 'kbps of the encoder times the channels that are live',
        quality: 'lines of the picture',
        speed: 'decided: always 0; not measured',
        fps: 'decided: like the other figures 0 until they are measured',
        restrims: 'channels of the broadcast',
      },
    }),
  },
)

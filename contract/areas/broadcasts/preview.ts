// Preview: video of a project on air, live and as a thumbnail. The media itself is not an operation: clients fetch it
// from the paths in these responses, with the ticket in a header, so that an address alone gives no access. Except HLS,
// whose players send no custom header.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime, maybe } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { InProject } from '#contract/core/wire.ts'

/** Reason why there is no preview. `elsewhere`: the node with the stream is not connected to any service now. */
export const noPreviews = ['off_air', 'elsewhere'] as const
/** Reason why there is no thumbnail. `no_ffmpeg`: none on the node; `not_yet`: not taken yet, or undecodable codec. */
export const noPosters = ['off_air', 'no_ffmpeg', 'not_yet'] as const

export const Preview = z.object({
  ticket: z.string(),
  expires_at: DateTime,
  stream_path: z.nullable(z.string()),
  hls_path: maybe(z.string()),
  reason: z.nullable(z.enum(noPreviews)),
  poster_path: z.nullable(z.string()),
  poster_at: z.nullable(DateTime),
  poster_reason: z.nullable(z.enum(noPosters)),
})
export type Preview = z.output<typeof Preview>

export const preview = group(
  'broadcasts.preview',
  { prefix: 'broadcast/preview', title: 'Preview' },
  {
    get: read('', {
      name: 'Get a ticket for the live picture',
      input: InProject,
      output: Preview,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'decided',
      notes: {
        ticket: 'for the header `Authorization: Preview <ticket>`; good for `stream_path` and `poster_path` alone',
        expires_at: 'end of the time to start playback; a running player continues while its viewer has the right',
        stream_path: 'HTTP-FLV from the root of the service: headers and a keyframe first; null: see `reason`',
        hls_path:
          'HLS for players without Media Source Extensions, some seconds later; opened by the address itself, for an hour and while the session lives; null: no picture, or no ffmpeg',
        poster_path: 'JPEG, a new one each ten seconds, with an ETag; null: see `poster_reason`',
      },
    }),
  },
)

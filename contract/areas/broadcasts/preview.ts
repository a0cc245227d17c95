// Preview: the picture of a project on air, live and as a still. The pictures themselves are no operations: they are
// fetched from the paths that are told here, with the ticket in a header, so that no address opens one: but HLS, whose
// players send no header of ours.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime, maybe } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { InProject } from '#contract/core/wire.ts'

/** Why there is nothing to see. `elsewhere`: the node that has the stream is not connected to any service now. */
export const noPreviews = ['off_air', 'elsewhere'] as const
/** Why there is no still. `no_ffmpeg`: the node has none; `not_yet`: none was taken, or the codec cannot be decoded. */
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
      provenance: 'decided',
      notes: {
        ticket: 'for the header `Authorization: Preview <ticket>`; good for `stream_path` and `poster_path` alone',
        expires_at: 'until when a picture may be begun; one that plays goes on as long as its viewer has the right',
        stream_path: 'HTTP-FLV from the root of the service: headers and a keyframe first; null: see `reason`',
        hls_path:
          'HLS for players without Media Source Extensions, some seconds later; opened by the address itself, for an hour and while the session lives; null: no picture, or no ffmpeg',
        poster_path: 'JPEG, a new one each ten seconds, with an ETag; null: see `poster_reason`',
      },
    }),
  },
)

// Remote source of a project: an address whose stream a relay server fetches, in the place of an encoder.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { InProject, Success } from '#contract/core/wire.ts'
import { remoteAddressMax, remoteStates } from '#contract/entities/remote-source.ts'

/** The source and its state. */
export const RemoteSource = z.object({
  /** Without secrets; empty: none. */
  address: z.string(),
  is_on: z.boolean(),
  state: z.enum(remoteStates),
  words: z.string(),
  date_state: z.nullable(DateTime),
})
export type RemoteSource = z.output<typeof RemoteSource>

const act = (path: string, name: string) =>
  write('POST', path, {
    name,
    input: InProject,
    output: Success,
    auth: 'editor',
    scope: 'broadcasts:write',
    provenance: 'decided',
  })

export const remoteSource = group(
  'ingest.remote-source',
  { prefix: 'remote-source', title: 'Remote source', stale: ['ingest.remote-source', 'projects.history'] },
  {
    get: read('', {
      name: 'Get the remote source',
      input: InProject,
      output: RemoteSource,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'decided',
      notes: {
        address: 'scheme and host; the rest may be a secret',
        state: '`waiting`: for a server that can fetch; `connecting`, `live`, `failed`: it tries again by itself',
        words: 'why it failed, from ffmpeg or the service',
      },
    }),
    start: write('POST', 'start', {
      name: 'Start the remote source',
      input: z.extend(InProject, { url: z.optional(z.string().check(z.maxLength(remoteAddressMax))) }),
      output: Success,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'decided',
      notes: {
        url: 'rtmp, rtmps, srt, http or https (HLS, FLV, MPEG-TS, MP4); rtsp where private networks are allowed; left out: the stored one',
      },
    }),
    stop: act('stop', 'Stop the remote source'),
    remove: act('del', 'Remove the remote source'),
  },
)

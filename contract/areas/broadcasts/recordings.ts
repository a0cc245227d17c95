// Recordings: the files that relay nodes keep of broadcasts.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { Id, InProject, listOf } from '#contract/core/wire.ts'

/** Why a file ended before its broadcast did. */
export const recordTroubles = ['disk_full', 'limit', 'disk_slow', 'disk_error'] as const

export const Recording = z.object({
  id: z.int(),
  state: z.enum(['recording', 'processing', 'ready', 'failed']),
  reason: z.nullable(z.enum(recordTroubles)),
  server: z.string(),
  file: z.string(),
  size: z.int(),
  duration: z.nullable(z.int()),
  created_at: DateTime,
})
export type Recording = z.output<typeof Recording>

export const recordings = group(
  'broadcasts.recordings',
  { prefix: 'broadcast/recordings', title: 'Recordings' },
  {
    list: read('', {
      name: 'Get recordings of a broadcast',
      input: z.extend(InProject, { broadcast_id: Id }),
      output: listOf(Recording),
      auth: 'viewer',
      provenance: 'decided',
      notes: {
        state: '`processing`: an MP4 is made of it; `failed`: nothing could be written',
        reason: 'why it ended before the broadcast did',
        server: 'the relay node on whose disk it lies',
        file: 'below the folder of recordings of that node (`RECORDINGS_DIR`)',
        size: 'bytes',
        duration: 'milliseconds; null while nobody knows',
      },
    }),
  },
)

// Recordings: files of broadcasts on relay nodes.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, Page, pageOf, Success } from '#contract/core/wire.ts'

/** Reason why a file ended before its broadcast. */
export const recordTroubles = ['disk_full', 'limit', 'disk_slow', 'disk_error', 'missing'] as const

export const Recording = z.object({
  id: z.int(),
  broadcast_id: z.nullable(z.int()),
  state: z.enum(['recording', 'processing', 'ready', 'failed']),
  reason: z.nullable(z.enum(recordTroubles)),
  server: z.string(),
  file: z.string(),
  size: z.int(),
  duration: z.nullable(z.int()),
  created_at: DateTime,
})
export type Recording = z.output<typeof Recording>

/** Download of a file. `url`, `name` and `size` are the names of the published `video/download`. */
const Download = z.object({ url: z.string(), name: z.string(), size: z.int(), expires_at: DateTime })
/** Field names of the published `video/limits`. */
const Storage = z.object({
  video_limit: z.int(),
  video_current: z.int(),
  removal: z.nullable(z.object({ removing_at: DateTime, files: z.int(), size: z.int() })),
})

const OfRecording = z.extend(InProject, { id: Id })

export const recordings = group(
  'broadcasts.recordings',
  { prefix: 'broadcast/recordings', title: 'Recordings' },
  {
    list: read('', {
      name: 'Get recordings of a broadcast, or of a project',
      input: z.extend(InProject, {
        broadcast_id: z.optional(Id),
        limit: z._default(z.int().check(z.minimum(1), z.maximum(100)), 100),
        offset: Page.shape.offset,
      }),
      output: pageOf(Recording),
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'decided',
      notes: {
        broadcast_id: 'without it: those of all broadcasts, newest first; null in an answer: no broadcast is known',
        state: '`processing`: an MP4 is made of it; `failed`: nothing could be written',
        reason: 'why it ended before the broadcast did',
        server: 'the relay node on whose disk it lies',
        file: 'below the folder of recordings of that node (`RECORDINGS_DIR`)',
        size: 'bytes',
        duration: 'milliseconds; null while unknown',
      },
    }),
    limits: read('limits', {
      name: 'Get storage of recordings and films',
      input: InProject,
      output: Storage,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'decided',
      notes: {
        video_limit: 'bytes that the tariff gives; 0: nothing is recorded',
        video_current: 'bytes that recordings and films take',
        removal:
          'the oldest recordings that are deleted at `removing_at`, because they exceed the space: number, bytes; null: none',
      },
    }),
    download: read('download', {
      name: 'Get address of a recording',
      input: OfRecording,
      output: Download,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'decided',
      notes: {
        url: 'path below the root of the service; MP4 or FLV, with ranges; opens this file only, for the caller, while the caller has the right',
        expires_at: 'until when it may be fetched, from any part on',
        size: 'bytes',
      },
    }),
    remove: write('POST', 'delete', {
      name: 'Delete a recording',
      input: OfRecording,
      output: Success,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'decided',
      announces: 'broadcast',
      notes: { id: 'a recording in progress is refused; the file is removed when its server is connected' },
      stale: ['broadcasts.broadcasts.list', 'broadcasts.recordings', 'projects.history'],
    }),
  },
)

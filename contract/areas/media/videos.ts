// Videos of a project: films that are ready, and finished recordings.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { mediaLimits } from '#contract/entities/media.ts'
import { Id, InProject, Page, pageOf, Success } from '#contract/core/wire.ts'

export const Video = z.object({
  id: Id,
  kind: z.enum(['upload', 'recording']),
  albumId: z.int(),
  name: z.string(),
  duration: z.number(),
  size: z.int(),
  width: z.int(),
  height: z.int(),
  previewPhotoSmall: z.string(),
  playlist: z.string(),
  status: z.string(),
  user_id: z.int(),
  created_at: DateTime,
  download: z.optional(z.string()),
})
export type Video = z.output<typeof Video>

const InVideo = z.extend(InProject, { id: Id })
const notes = {
  id: 'of a film: its `media_id`; recordings have numbers above 1,000,000,000 (decided)',
  kind: '`upload`: a film of the library; `recording`: of a broadcast (decided)',
  albumId: '0: there are no albums',
  duration: 'seconds; 0: unknown',
  size: 'bytes',
  width: 'pixels; 0: unknown',
  height: 'pixels; 0: unknown',
  previewPhotoSmall: 'URL of a picture; empty: none',
  playlist: 'empty',
  user_id: 'who added it; 0: unknown',
  download: 'path of the file below the root of the service, valid for an hour; missing: its server is not connected',
}

export const videos = group(
  'media.videos',
  { prefix: 'video', title: 'Video', stale: ['media', 'broadcasts.recordings', 'ingest.stream-keys'] },
  {
    create: write('GET', 'create', {
      name: 'Begin the upload of a video',
      input: z.extend(InProject, { name: z._default(z.string().check(z.trim(), z.maxLength(mediaLimits.name)), '') }),
      output: z.object({
        status: z.literal('success'),
        success: z.boolean(),
        url: z.string(),
        token: z.string(),
        channel: z.string(),
        space: z.int(),
        id: Id,
        file_id: z.string(),
        ticket: z.string(),
        expires_at: DateTime,
      }),
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
      replay: 'never',
      notes: {
        name: 'empty: the name of the uploaded file (decided)',
        url: 'path of uploads by tus 1.0 below the root of the service',
        token: 'of `channel`',
        channel: 'realtime channel of the progress',
        space: 'bytes that are left',
        file_id: 'name of the upload: `<url>/<file_id>` once it has begun (decided)',
        ticket: 'header `Upload-Ticket` of each request of the upload (decided)',
        expires_at: 'of the ticket (decided)',
      },
    }),
    progress: read('progress-channel', {
      name: 'Get realtime channel of a video',
      input: InVideo,
      output: z.object({ id: Id, token: z.string(), channel: z.string() }),
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: { token: 'of `channel`' },
    }),
    list: read('list', {
      name: 'Get videos',
      input: z.extend(InProject, Page.shape),
      output: pageOf(Video),
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes,
    }),
    get: read('get', {
      name: 'Get video',
      input: InVideo,
      output: Video,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes,
    }),
    limits: read('limits', {
      name: 'Get space of videos',
      input: InProject,
      output: z.object({ video_limit: z.int(), video_current: z.int(), removing_at: z.optional(DateTime) }),
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: {
        video_limit: 'bytes that the tariff gives',
        video_current: 'bytes that films and recordings take, and uploads reserve',
        removing_at: 'when the oldest recordings are deleted, because they exceed the space; missing: never',
      },
    }),
    download: read('download', {
      name: 'Get address of a video',
      input: InVideo,
      output: z.object({ url: z.string(), name: z.string(), size: z.int(), expires_at: DateTime }),
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: {
        url: 'path below the root of the service, with ranges; opens this file only, for the caller, while the caller has the right',
        size: 'bytes',
        expires_at: 'until when it may be fetched (decided)',
      },
    }),
    update: write('POST', 'update', {
      name: 'Rename a video',
      input: z.extend(InVideo, { name: z.string().check(z.trim(), z.minLength(4), z.maxLength(mediaLimits.name)) }),
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
    }),
    remove: write('POST', 'delete', {
      name: 'Delete a video',
      input: InVideo,
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
      notes: { id: 'a video that plays, or a recording in progress, is refused' },
    }),
  },
)

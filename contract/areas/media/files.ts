// Media files of a project: pictures and films that channels receive while the encoder is lost, and in a pause.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import {
  mediaErrors,
  mediaKinds,
  mediaLimits,
  mediaStatuses,
  mediaSteps,
  mediaUses,
  serversForFilm,
} from '#contract/entities/media.ts'
import { Uploaded } from '#contract/core/upload.ts'
import { Id, InProject, listOf, Success } from '#contract/core/wire.ts'

/** A file (published). */
export const MediaFile = z.object({
  media_id: Id,
  kind: z.enum(mediaKinds),
  name: z.string(),
  content_type: z.string(),
  size: z.int(),
  duration: z.number(),
  width: z.int(),
  height: z.int(),
  status: z.enum(mediaStatuses),
  step: z.optional(z.enum(mediaSteps)),
  done: z.optional(z.int()),
  error: z.optional(z.enum(mediaErrors)),
  thumbnail: z.string(),
  video: z.string(),
  isEditable: z.boolean(),
  isDisabled: z.boolean(),
  servers: z.optional(z.enum(serversForFilm)),
  created_at: DateTime,
  event_channel: z.optional(z.string()),
})
export type MediaFile = z.output<typeof MediaFile>

/** Permission to upload a film. */
const Session = z.object({
  file_id: z.string(),
  channel: z.string(),
  token: z.string(),
  upload_url: z.string(),
  ticket: z.string(),
  space: z.int(),
  expires_at: DateTime,
})

const InFile = z.extend(InProject, { media_id: Id })
const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(mediaLimits.name))
const notes = {
  kind: '`picture`: JPEG or PNG; `film`: uploaded in parts, then prepared as MP4',
  size: 'bytes; of a film that is processed: those of the upload',
  duration: 'seconds; 0: a picture, or unknown',
  width: 'pixels; 0: unknown',
  height: 'pixels; 0: unknown',
  step: 'while `status` is `processing`; `waiting`: for a server with ffmpeg',
  done: 'percent of the step, while `status` is `processing`',
  error:
    'why a film failed; `too-costly`: more time or memory than allowed, `no-space`: the prepared film exceeds the space, `missing`: its file is gone',
  thumbnail: 'URL of a picture; empty: none yet',
  video: 'path of the film below the root of the service, valid for an hour; empty: a picture, or not ready',
  isDisabled:
    'cannot be chosen for a pause or a lost encoder: a film that is not ready, too long, or too large for all servers',
  servers:
    'of a ready film: `none`: no server has room for it, so no schedule and no choice takes it; `some`: others skip it; left out: all, or unknown (decided)',
  event_channel: 'realtime channel of a film that is processed',
}

export const mediaFiles = group(
  'media.files',
  {
    prefix: 'media-service-files',
    title: 'Media service files',
    stale: ['media', 'ingest.stream-keys', 'broadcasts.recordings.limits'],
  },
  {
    list: read('list', {
      name: 'Get media files',
      input: InProject,
      output: listOf(MediaFile),
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes,
    }),
    get: read('get', {
      name: 'Get media file',
      input: InFile,
      output: MediaFile,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes,
    }),
    upload: write('POST', 'upload', {
      name: 'Upload a picture',
      placement: 'multipart',
      input: z.extend(InProject, { name, file: Uploaded }),
      output: MediaFile,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'decided',
      replay: 'never',
      notes: { ...notes, file: 'JPEG or PNG, at most 5 MB and 4096 pixels a side' },
    }),
    add: write('POST', 'add', {
      name: 'Add a film',
      placement: 'query',
      input: z.extend(InProject, { name: z._default(z.string().check(z.trim(), z.maxLength(mediaLimits.name)), '') }),
      output: z.extend(Success, { media_id: Id }),
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
      replay: 'never',
      notes: {
        name: 'empty: the name of the uploaded file (decided)',
        media_id: 'of the film, whose upload `session` allows (decided)',
      },
    }),
    session: read('session', {
      name: 'Get permission to upload a film',
      input: z.object({ project_id: z.optional(Id), media_id: Id }),
      output: Session,
      auth: 'session',
      scope: 'broadcasts:write',
      provenance: 'published',
      notes: {
        project_id: 'that of the film; the caller is an editor of it',
        file_id: 'name of the upload',
        channel: 'realtime channel of the progress',
        token: 'of that channel',
        upload_url:
          'path of uploads by tus 1.0 below the root of the service; `<upload_url>/<file_id>` once it has begun (decided)',
        ticket: 'header `Upload-Ticket` of each request of the upload (decided)',
        space: 'bytes that are left (decided)',
        expires_at: 'of the ticket (decided)',
      },
    }),
    update: write('POST', 'update', {
      name: 'Rename media file',
      input: z.extend(InFile, { name }),
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
    }),
    set: write('POST', 'set', {
      name: 'Choose the media file for a pause or a lost encoder',
      input: z.extend(InProject, {
        media_id: z.int().check(z.minimum(0), z.maximum(2_147_483_647)),
        type: z.enum(mediaUses),
      }),
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
      notes: { media_id: '0: none (decided); a film is at most five minutes long' },
    }),
    cancel: write('POST', 'cancel', {
      name: 'Cancel the upload or preparation of a film',
      input: InFile,
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
      notes: { media_id: 'its space is free, and it stays in the list until it is deleted' },
    }),
    remove: write('POST', 'delete', {
      name: 'Delete media file',
      input: InFile,
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
      notes: { media_id: 'where it is chosen, nothing is chosen any more; a film that plays is refused' },
    }),
  },
)

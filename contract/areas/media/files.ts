// Media files of a project: pictures that channels receive while the encoder is lost, and in a pause.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { mediaLimits, mediaUses } from '#contract/entities/media.ts'
import { Uploaded } from '#contract/core/upload.ts'
import { Id, InProject, listOf, Success } from '#contract/core/wire.ts'

/** A file (published). */
export const MediaFile = z.object({
  media_id: Id,
  name: z.string(),
  content_type: z.string(),
  size: z.int(),
  duration: z.number(),
  status: z.enum(['processing', 'success', 'cancel', 'error']),
  error: z.optional(z.string()),
  thumbnail: z.string(),
  video: z.string(),
  isEditable: z.boolean(),
  isDisabled: z.boolean(),
  created_at: DateTime,
  event_channel: z.optional(z.string()),
})
export type MediaFile = z.output<typeof MediaFile>

const InFile = z.extend(InProject, { media_id: Id })
const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(mediaLimits.name))
const notes = {
  size: 'bytes',
  duration: 'seconds; 0: a picture',
  thumbnail: 'URL of the picture',
  video: 'empty: a picture',
}

export const mediaFiles = group(
  'media.files',
  {
    prefix: 'media-service-files',
    title: 'Media service files',
    stale: ['media.files', 'ingest.stream-keys'],
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
      notes: { media_id: '0: none (decided)' },
    }),
    remove: write('POST', 'delete', {
      name: 'Delete media file',
      input: InFile,
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
      notes: { media_id: 'where it is chosen, nothing is chosen any more' },
    }),
  },
)

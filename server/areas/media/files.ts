// Media files of a project over HTTP.
import { type MediaFile, mediaFiles } from '#contract/areas/media/files.ts'
import { implement } from '#server/core/implement.ts'
import { fileUrl } from '#server/domain/account/pictures.ts'
import { addPicture, chooseMedia, getMedia, removeMedia, renameMedia } from '#server/domain/media/files.ts'
import { listMedia, type MediaRow } from '#server/domain/media/store.ts'

export const mediaFileRoutes = implement(mediaFiles, {
  list: async ({ project_id }, { db, origin }) => ({
    results: (await listMedia(db, project_id)).map((row) => present(row, origin)),
  }),

  get: async ({ project_id, media_id }, { db, origin }) => present(await getMedia(db, project_id, media_id), origin),

  upload: async ({ project_id, name, file }, ctx) =>
    present(await addPicture(ctx, project_id, { name, upload: file }), ctx.origin),

  update: async ({ project_id, media_id, name }, ctx) => {
    await renameMedia(ctx, project_id, { id: media_id, name })
    return { success: true }
  },

  set: async ({ project_id, media_id, type }, ctx) => {
    const by = { projectId: project_id, userId: ctx.user.id }
    await chooseMedia(ctx, by, { use: type, id: media_id === 0 ? null : media_id })
    return { success: true }
  },

  remove: async ({ project_id, media_id }, ctx) => {
    await removeMedia(ctx, project_id, media_id)
    return { success: true }
  },
})

const present = (row: MediaRow, origin: string): MediaFile => ({
  media_id: row.id,
  name: row.name,
  content_type: row.content_type,
  size: row.bytes,
  duration: 0,
  status: 'success',
  thumbnail: fileUrl(origin, row.file),
  video: '',
  isEditable: true,
  isDisabled: false,
  created_at: row.date_create,
})

// Media files of a project over HTTP.
import { type MediaFile, mediaFiles } from '#contract/areas/media/files.ts'
import { channelName } from '#contract/events/channels.ts'
import type { Context } from '#server/core/context.ts'
import { ForbiddenError, RuleError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { type FilmRoom, findFilmRoom, serversFor } from '#server/domain/ingest/film-room.ts'
import { fileUrl } from '#server/domain/account/pictures.ts'
import { filmPath } from '#server/domain/media/tickets.ts'
import {
  addPicture,
  chooseMedia,
  getMedia,
  isChoosable,
  progressOf,
  removeMedia,
  renameMedia,
} from '#server/domain/media/files.ts'
import { addFilm, cancelFilm, getFilm, getUpload } from '#server/domain/media/films.ts'
import { findAnyMedia, listMedia, type MediaRow, type MediaWithUpload } from '#server/domain/media/store.ts'
import { authorize } from '#server/domain/projects/access.ts'
import { publishFilm } from '#server/domain/realtime/film-progress.ts'
import { uploadSession } from './session.ts'

export const mediaFileRoutes = implement(mediaFiles, {
  list: async ({ project_id }, ctx) => {
    const room = await findFilmRoom(ctx.db, ctx.clock.now())
    return { results: (await listMedia(ctx.db, project_id)).map((row) => present(row, room, ctx)) }
  },

  get: async ({ project_id, media_id }, ctx) =>
    present(await getMedia(ctx.db, project_id, media_id), await findFilmRoom(ctx.db, ctx.clock.now()), ctx),

  // A picture needs no room of servers.
  upload: async ({ project_id, name, file }, ctx) =>
    present(await addPicture(ctx, project_id, { name, upload: file }), null, ctx),

  add: async ({ project_id, name }, ctx) => {
    const { id } = await addFilm(ctx, project_id, { name, userId: ctx.user.id })
    return { success: true, media_id: id }
  },

  session: async ({ project_id, media_id: id }, ctx) => {
    const film = await findAnyMedia(ctx.db, id)
    const projectId = project_id ?? film?.project_id
    // Members of other projects do not learn which numbers exist.
    const project = projectId === undefined ? null : await authorize(ctx, ctx.user, projectId, 'editor').catch(hide)
    if (!project) throw new RuleError('MediaNotFound')
    return uploadSession({ ...ctx, project }, await getUpload(ctx.db, { projectId: project.id, id }))
  },

  update: async ({ project_id, media_id, name }, ctx) => {
    await renameMedia(ctx, project_id, { id: media_id, name })
    return { success: true }
  },

  set: async ({ project_id, media_id, type }, ctx) => {
    const by = { projectId: project_id, userId: ctx.user.id }
    await chooseMedia(ctx, by, { use: type, id: media_id === 0 ? null : media_id })
    return { success: true }
  },

  cancel: async ({ project_id, media_id }, ctx) => {
    const key = { projectId: project_id, id: media_id }
    await cancelFilm(ctx, key)
    publishFilm(ctx, await getFilm(ctx.db, key), false)
    return { success: true }
  },

  remove: async ({ project_id, media_id }, ctx) => {
    await removeMedia(ctx, project_id, media_id)
    return { success: true }
  },
})

/** @throws unless the caller has no role in the project */
function hide(error: unknown): null {
  if (error instanceof ForbiddenError) return null
  throw error
}

/** @param room of the servers, for films */
function present(row: MediaRow & Partial<MediaWithUpload>, room: FilmRoom | null, ctx: Context<'viewer'>): MediaFile {
  const isFilm = row.kind === 'film'
  const servers = isFilm && row.state === 'ready' ? serversFor(room, Number(row.bytes)) : undefined
  const progress = progressOf(row)
  return {
    media_id: row.id,
    kind: row.kind,
    name: row.name,
    content_type: row.content_type,
    size: Number(row.bytes),
    duration: row.duration_ms / 1000,
    width: row.width,
    height: row.height,
    ...progress,
    thumbnail: fileUrl(ctx.origin, isFilm ? row.thumbnail : row.file),
    video: isFilm && row.state === 'ready' ? filmPath(ctx, row, ctx.user.sessionId).url : '',
    isEditable: true,
    isDisabled: !isChoosable(row) || servers === 'none',
    ...(servers && { servers }),
    created_at: row.date_create,
    ...(progress.status === 'processing' && { event_channel: channelName('media_file', row.id) }),
  }
}

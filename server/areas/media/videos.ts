// Videos of a project over HTTP.
import { type Video, videos } from '#contract/areas/media/videos.ts'
import { recordingVideoBase } from '#contract/entities/media.ts'
import { iso } from '#server/core/clock.ts'
import type { Context } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { fileUrl } from '#server/domain/account/pictures.ts'
import { downloadName, recordingPath, removeRecording } from '#server/domain/broadcasts/recordings.ts'
import { archiveMachine, type RecordingRow } from '#server/domain/broadcasts/recordings-store.ts'
import { removalOf } from '#server/domain/broadcasts/storage-removal.ts'
import { getVideo, readVideos, refOf, renameVideo, type Video as Row } from '#server/domain/broadcasts/videos.ts'
import { removeMedia } from '#server/domain/media/files.ts'
import { addFilm, getFilm, getUpload } from '#server/domain/media/films.ts'
import { storageOf } from '#server/domain/media/space.ts'
import { filmName, filmPath } from '#server/domain/media/tickets.ts'
import { progressChannel, uploadSession } from './session.ts'

export const videoRoutes = implement(videos, {
  create: async ({ project_id, name }, ctx) => {
    const { id } = await addFilm(ctx, project_id, { name, userId: ctx.user.id })
    const { upload_url: url, ...session } = await uploadSession(
      ctx,
      await getUpload(ctx.db, { projectId: project_id, id }),
    )
    return { status: 'success', success: true, url, id, ...session }
  },

  progress: async ({ project_id, id }, ctx) => {
    await getFilm(ctx.db, { projectId: project_id, id })
    return { id, ...(await progressChannel(ctx, id)) }
  },

  list: async ({ project_id, limit, offset }, ctx) => {
    const { videos: rows, total } = await readVideos(ctx.db, project_id, { limit, offset })
    return { total, limit, offset, results: rows.map((row) => present(row, ctx)) }
  },

  get: async ({ project_id, id }, ctx) => present(await getVideo(ctx.db, project_id, id), ctx),

  limits: async ({ project_id }, ctx) => {
    const { limit, used } = await storageOf(ctx, project_id)
    const removal = await removalOf(ctx, project_id)
    return {
      video_limit: limit,
      video_current: used,
      ...(removal && { removing_at: removal.removing_at }),
    }
  },

  download: async ({ project_id, id }, ctx) => {
    const { film, recording } = await getVideo(ctx.db, project_id, id)
    if (recording && !isReachable(recording, ctx)) throw new RuleError('ServerAway')
    const { url, until } = film
      ? filmPath(ctx, film, ctx.user.sessionId)
      : recordingPath(ctx, recording, ctx.user.sessionId)
    const { bytes } = film ?? recording
    return { url, name: film ? filmName(film) : downloadName(recording), size: Number(bytes), expires_at: iso(until) }
  },

  update: async ({ project_id, id, name }, ctx) => {
    await renameVideo(ctx, project_id, { id, name })
    return { success: true }
  },

  remove: async ({ project_id, id }, ctx) => {
    const ref = refOf(id)
    if (ref.kind === 'recording') {
      await getVideo(ctx.db, project_id, id)
      await removeRecording(ctx, { projectId: project_id, id: ref.id, userId: ctx.user.id })
    } else {
      await getFilm(ctx.db, { projectId: project_id, id })
      await removeMedia(ctx, project_id, id)
    }
    return { success: true }
  },
})

const isReachable = ({ node }: RecordingRow, { relay }: Context<'viewer'>): boolean =>
  node === archiveMachine || relay.hasMachine(node)

const nothing = { albumId: 0, playlist: '', status: 'success' }

function present({ film, recording }: Row, ctx: Context<'viewer'>): Video {
  if (film)
    return {
      ...nothing,
      id: film.id,
      kind: 'upload',
      name: film.name,
      duration: film.duration_ms / 1000,
      size: Number(film.bytes),
      width: film.width,
      height: film.height,
      previewPhotoSmall: fileUrl(ctx.origin, film.thumbnail),
      user_id: film.user_id ?? 0,
      created_at: film.date_create,
      download: filmPath(ctx, film, ctx.user.sessionId).url,
    }
  return {
    ...nothing,
    id: recordingVideoBase + recording.id,
    kind: 'recording',
    name: recording.title ?? downloadName(recording),
    duration: Number(recording.duration_ms) / 1000,
    size: Number(recording.bytes),
    width: 0,
    height: 0,
    previewPhotoSmall: '',
    user_id: 0,
    created_at: recording.date_create,
    ...(isReachable(recording, ctx) && { download: recordingPath(ctx, recording, ctx.user.sessionId).url }),
  }
}

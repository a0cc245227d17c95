// Videos of a project: films of the library, and finished recordings.
import { recordingVideoBase } from '#contract/entities/media.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { ReadDb } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { renameMedia } from '#server/domain/media/files.ts'
import { getFilm } from '#server/domain/media/films.ts'
import { listFilmsOf, type MediaRow } from '#server/domain/media/store.ts'
import { findRecording, listRecordingsOf, type RecordingRow, updateRecording } from './recordings-store.ts'
import { listVideos, type VideoRef } from './videos-store.ts'

/** A film, or a recording. */
export type Video =
  | { readonly film: MediaRow; readonly recording: null }
  | { readonly film: null; readonly recording: RecordingRow }

/** Returns the row that the number of a video stands for. */
export const refOf = (id: number): VideoRef =>
  id > recordingVideoBase ? { kind: 'recording', id: id - recordingVideoBase } : { kind: 'upload', id }

/** Returns a video that is done. @throws RuleError `MediaNotFound`, `MediaNotReady` */
export async function getVideo(db: ReadDb, projectId: number, id: number): Promise<Video> {
  const ref = refOf(id)
  if (ref.kind === 'upload') {
    const film = await getFilm(db, { projectId, id })
    if (film.state !== 'ready') throw new RuleError('MediaNotReady')
    return { film, recording: null }
  }
  const recording = await findRecording(db, projectId, ref.id)
  if (!recording) throw new RuleError('MediaNotFound')
  if (recording.state !== 'ready') throw new RuleError('MediaNotReady')
  return { film: null, recording }
}

/** Returns one page of videos, newest first, and the number of all. */
export async function readVideos(
  db: ReadDb,
  projectId: number,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly videos: Video[]; readonly total: number }> {
  const { refs, total } = await listVideos(db, projectId, page)
  const idsOf = (kind: VideoRef['kind']) => refs.filter((ref) => ref.kind === kind).map(({ id }) => id)
  const films = await listFilmsOf(db, projectId, idsOf('upload'))
  const recordings = await listRecordingsOf(db, projectId, idsOf('recording'))
  const videos = refs.flatMap(({ kind, id }): Video[] => {
    const isThis = (row: { readonly id: number }) => row.id === id
    const film = kind === 'upload' ? films.find((row) => isThis(row) && row.state === 'ready') : undefined
    const recording = kind === 'recording' ? recordings.find(isThis) : undefined
    // A video that was deleted meanwhile is left out.
    return film ? [{ film, recording: null }] : recording ? [{ film: null, recording }] : []
  })
  return { videos, total }
}

/** Renames a video. @throws RuleError `MediaNotFound`, `MediaNotReady` */
export async function renameVideo(
  services: Services,
  projectId: number,
  { id, name }: { readonly id: number; readonly name: string },
) {
  const { recording } = await getVideo(services.db, projectId, id)
  if (!recording) return await renameMedia(services, projectId, { id, name })
  await transaction(services.db, (trx) => updateRecording(trx, recording.id, { title: name }))
}

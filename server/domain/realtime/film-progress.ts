// Progress of films for open pages.
import type { Services } from '#server/core/context.ts'
import { progressOf } from '#server/domain/media/files.ts'
import type { MediaRow } from '#server/domain/media/store.ts'
import { publish } from './realtime.ts'

type Film = Pick<MediaRow, 'id' | 'project_id'> & Parameters<typeof progressOf>[0]

/**
 * Publishes the progress of a film. Call it at most once a second for each film.
 * @param isStep it has begun or ended a step: lists of open pages are fetched again
 */
export function publishFilm(services: Pick<Services, 'realtime' | 'log'>, film: Film, isStep: boolean): void {
  const { id, project_id: projectId } = film
  const { status, step, done = status === 'success' ? 100 : 0, error } = progressOf(film)
  const payload = { media_id: id, status, done, ...(step && { step }), ...(error && { error }) }
  publish(services, { type: 'media_file', id }, { event: 'media-file', payload })
  if (!isStep) return
  const changed = { operation: 'media.files.update', stale: ['media', 'broadcasts.recordings.limits'] }
  publish(services, { type: 'project_live', id: projectId }, { event: 'changed', payload: changed })
}

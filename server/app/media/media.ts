// Files of projects: recordings, and the library of films.
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { openMediaStore } from '#server/storage/place.ts'
import { serveFilms } from './film-routes.ts'
import { createMediaFolder } from './media-folder.ts'
import { servePreparations } from './prepare-routes.ts'
import { type RecordingPlaces, serveRecordings } from './recording-routes.ts'
import { serveUploads, type UploadParts, type Uploads } from './upload-routes.ts'

/** Serves recordings, uploads, preparations and films. @returns the store of films, which is made with the first upload */
export function serveMedia(
  app: FastifyInstance,
  services: Services,
  recordings: RecordingPlaces,
): UploadParts & Uploads {
  const { db, config, log } = services
  const store = openMediaStore(config, recordings.store)
  const parts = { store, folder: createMediaFolder(db, store, log) }
  serveRecordings(app, services, recordings)
  const { recheck } = serveUploads(app, services, parts)
  servePreparations(app, services, parts)
  serveFilms(app, services, store)
  return { ...parts, recheck }
}

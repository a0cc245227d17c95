// Uploads of films by tus 1.0, each request authorized by a ticket in its header.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { uploadsPath, uploadTicketHeader } from '#contract/entities/media.ts'
import type { Services } from '#server/core/context.ts'
import { NotFoundError, UnauthorizedError } from '#server/core/errors.ts'
import { loadOnce } from '#server/core/load-once.ts'
import { createPace } from '#server/core/pace.ts'
import { mayPublish } from '#server/domain/projects/access.ts'
import {
  cancelFilm,
  finishUpload,
  getFilm,
  isProcessing,
  isUploading,
  noteReceived,
} from '#server/domain/media/films.ts'
import { findMedia } from '#server/domain/media/store.ts'
import { findUpload, findUploadLength } from '#server/domain/media/uploads-store.ts'
import { uploadTickets, type Uploading } from '#server/domain/media/tickets.ts'
import { publishFilm } from '#server/domain/realtime/film-progress.ts'
import type { MediaStore } from '#server/storage/store.ts'
import type { MediaFolder } from './media-folder.ts'
import { beginAlone, lengthOf, nameIn, tusVersion } from './upload-begin.ts'
import { createUploadLocker } from './upload-locks.ts'
import { loadTus, uploadOperation } from './upload-tus.ts'

const config = { operation: uploadOperation }
/** Headers that tus has no place for. */
const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
/** Progress is published so often, milliseconds. */
const publishMs = 1_000

interface UploadRoute {
  readonly Params: { readonly id?: string }
}

export interface UploadParts {
  readonly store: MediaStore
  readonly folder: MediaFolder
}

export interface Uploads {
  /** Ends the requests of users who lost the right. */
  recheck(): void
}

/** Serves `/uploads`. The modules of tus are loaded with the first upload. */
export function serveUploads(app: FastifyInstance, services: Services, { store, folder }: UploadParts): Uploads {
  const { db } = services
  const running = createRunning(services)
  const progress = createPace(publishMs)
  const locker = createUploadLocker(db)
  const tus = loadOnce(() => loadTus(services, { store, locker }, (one) => finish(running.aboutOf(one))))

  /** Ends an upload that is complete. Its bytes are on the disk before a node is asked for them. */
  async function finish(about: Uploading): Promise<void> {
    const name = `uploads/${about.fileId}` as const
    // It may have been cancelled, or begun anew.
    const isWhole = (await store.size(name)) === (await findUploadLength(db, about.fileId))
    if (!isWhole || !(await store.sync(name))) return
    if (await finishUpload(services, about)) publishFilm(services, await getFilm(db, about), true)
  }

  async function noteProgress(about: Uploading): Promise<void> {
    const bytes = await store.size(`uploads/${about.fileId}`)
    if (bytes === null) return
    await noteReceived(services, about.id, bytes)
    if (!progress.begins(about.id)) return
    const film = await findMedia(db, about.projectId, about.id)
    if (film && isUploading(film)) publishFilm(services, film, false)
  }

  /** Hands a request to tus, which answers it. */
  async function toTus(request: FastifyRequest, reply: FastifyReply, about: Uploading): Promise<void> {
    const { handle } = await tus()
    reply.hijack()
    for (const [name, value] of Object.entries(common)) reply.raw.setHeader(name, value)
    try {
      await running.during(request, about, () => handle(request, reply.raw))
      await noteProgress(about)
    } catch (error) {
      services.log.error({ err: error, id: request.id, operation: config.operation }, 'An upload failed')
      reply.raw.destroy()
    }
  }

  /** @throws UnauthorizedError without a ticket for this upload, or when its user lost the right */
  async function admit(request: FastifyRequest<UploadRoute>): Promise<Uploading> {
    const about = uploadTickets.read(services, String(request.headers[uploadTicketHeader]))
    const { id } = request.params
    if (!about || (id !== undefined && id !== about.fileId) || !(await mayPublish(services, about)))
      throw new UnauthorizedError('Unauthorized_ticket')
    return about
  }

  void app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers()
    // Tus reads the body.
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))

    scope.post<UploadRoute>(uploadsPath, { config }, async (request, reply) => {
      const about = await admit(request)
      const [length, name] = [lengthOf(request), nameIn(request)]
      await folder.check()
      const announced = { length, name, room: await folder.room() }
      await running.during(request, about, () =>
        beginAlone(services, store, about, { announced, socket: reply.raw, locker }),
      )
      if (announced.length === 0) await finish(about)
      publishFilm(services, await getFilm(db, about), true)
      // A body is not taken: the pieces follow.
      const location = `${uploadsPath}/${about.fileId}`
      return reply
        .code(201)
        .headers({ ...common, 'tus-resumable': tusVersion, location, 'upload-offset': '0' })
        .send()
    })

    scope.head<UploadRoute>(`${uploadsPath}/:id`, { config }, async (request, reply) => {
      const about = await admit(request)
      const film = await getFilm(db, about)
      const upload = await findUpload(db, about.id)
      const length = Number(upload ? upload.length : film.bytes)
      const isWhole = isUploading(film) && length > 0 && (await store.size(`uploads/${about.fileId}`)) === length
      // The response to the last piece was lost, or its replica was killed after it.
      if (isWhole) await finish(about)
      const isDone = isWhole || film.state === 'ready' || (isProcessing(film) && !isUploading(film))
      if (!isDone && film.state !== 'uploading') throw new NotFoundError('UploadGone')
      if (!isDone) return toTus(request, reply, about).then(() => reply)
      const offset = String(length)
      return reply.headers({ 'tus-resumable': tusVersion, 'upload-offset': offset, 'upload-length': offset }).send()
    })

    scope.patch<UploadRoute>(`${uploadsPath}/:id`, { config }, async (request, reply) => {
      const about = await admit(request)
      const film = await getFilm(db, about)
      if (film.state !== 'uploading') throw new NotFoundError('UploadGone')
      await folder.check()
      await toTus(request, reply, about)
      return reply
    })

    scope.delete<UploadRoute>(`${uploadsPath}/:id`, { config }, async (request, reply) => {
      const about = await admit(request)
      await cancelFilm(services, about)
      publishFilm(services, await getFilm(db, about), true)
      return reply.code(204).header('tus-resumable', tusVersion).send()
    })
    done()
  })

  return running
}

/** Creates the list of requests that write. */
function createRunning(services: Services) {
  /** By what tus sees of them. */
  const running = new Map<object, { readonly about: Uploading; readonly end: () => void }>()
  return {
    async during<T>({ raw }: FastifyRequest, about: Uploading, work: () => Promise<T>): Promise<T> {
      running.set(raw, { about, end: () => void raw.destroy() })
      try {
        return await work()
      } finally {
        running.delete(raw)
      }
    },
    aboutOf(request: object): Uploading {
      const about = running.get(request)?.about
      if (!about) throw new Error('The request has no ticket')
      return about
    },
    recheck() {
      for (const { about, end } of running.values())
        void mayPublish(services, about)
          .then((may) => may || end())
          .catch(() => undefined)
    },
  }
}

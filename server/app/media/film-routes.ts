// Films: for relay nodes by their random name, and for users by a ticket in the address.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { NotFoundError, UnauthorizedError } from '#server/core/errors.ts'
import { filmName, filmTickets } from '#server/domain/media/tickets.ts'
import { getFilm } from '#server/domain/media/films.ts'
import { mayWatch } from '#server/domain/projects/access.ts'
import type { MediaStore, ObjectName } from '#server/storage/store.ts'
import { createDownloads, refuseUnread } from './downloads.ts'
import { preparePart } from './recording-files.ts'

/** Concurrent downloads of a project. */
const downloadsMax = 20
/** A file that is opened as a page runs nothing. */
const isolation = { 'content-security-policy': "sandbox; default-src 'none'; media-src 'self'" }

interface FilmRoute {
  readonly Params: { readonly id: string }
  readonly Querystring: { readonly ticket?: string }
}

/** Serves `/relay/media/<name>` and `/videos/<number>/<name>`. */
export function serveFilms(app: FastifyInstance, services: Services, store: MediaStore): void {
  const downloads = createDownloads(services, downloadsMax)

  /** Sends a file or a part of it. @param begin opens the file by `read` */
  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    name: ObjectName,
    begin: (read: () => Promise<Readable>) => Promise<Readable>,
  ) {
    const size = await store.size(name)
    if (size === null || size === 0) throw new NotFoundError('NoFile')
    void reply.type('video/mp4').headers(isolation)
    const part = preparePart(request, reply, { size, etag: `"${name.split('/')[1]}"` })
    if (request.method === 'HEAD') return reply.send()
    return reply.send(await begin(() => store.read(name, part)))
  }

  app.route<{ Params: { readonly name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/relay/media/:name',
    config: { operation: 'film' },
    handler(request, reply) {
      const { name } = request.params
      if (!/^[\da-f]{32}\.mp4$/.test(name)) throw new NotFoundError('NoFile')
      void reply.header('cache-control', 'private, max-age=31536000, immutable')
      return send(request, reply, `masters/${name}`, readNow)
    },
  })

  app.route<FilmRoute>({
    method: ['GET', 'HEAD'],
    url: '/videos/:id/:name',
    config: { operation: 'video' },
    async handler(request, reply) {
      const watching = filmTickets.read(services, String(request.query.ticket))
      if (!watching || String(watching.id) !== request.params.id || !(await mayWatch(services, watching)))
        throw new UnauthorizedError('Unauthorized_ticket')
      const film = await getFilm(services.db, watching)
      if (film.state !== 'ready') throw new NotFoundError('NoFile')
      void reply.headers({
        'cache-control': 'private, no-cache',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filmName(film))}`,
      })
      return send(request, reply, `masters/${film.file}`, (read) => downloads.begin(watching, read))
    },
  })
}

/** Relay nodes are not counted. @throws NotFoundError when the file cannot be read, AppError 503 while its store is away */
const readNow = (read: () => Promise<Readable>): Promise<Readable> => read().catch(refuseUnread)

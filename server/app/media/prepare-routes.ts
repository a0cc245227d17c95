// Files of a preparation, for the relay node that has its ticket: the upload, and the prepared film in parts.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import * as z from 'zod/mini'
import { mediaLimits } from '#contract/entities/media.ts'
import type { Services } from '#server/core/context.ts'
import { AppError, NotFoundError, RuleError, UnauthorizedError, ValidationError } from '#server/core/errors.ts'
import { completePreparation, admitPreparing, makingOf, masterOf } from '#server/domain/media/preparation.ts'
import { hasMaster } from '#server/domain/media/store.ts'
import type { UploadRow } from '#server/domain/media/uploads-store.ts'
import { publishFilm } from '#server/domain/realtime/film-progress.ts'
import { preparePart } from './recording-files.ts'
import type { UploadParts } from './upload-routes.ts'

const config = { operation: 'preparation' }
/** Largest part of a film: nodes send smaller ones, so that each takes less than the timeout of a request. */
const partBytesMax = 8 * 1024 * 1024
const factsBytesMax = 512 * 1024

const columnMax = 2 ** 31 - 1
const Facts = z.object({
  bytes: z.int().check(z.minimum(1)),
  ms: z.int().check(z.minimum(1), z.maximum(mediaLimits.filmMs + 60_000)),
  width: z.int().check(z.minimum(1), z.maximum(columnMax)),
  height: z.int().check(z.minimum(1), z.maximum(columnMax)),
  /** JPEG in base64. */
  thumbnail: z.string().check(z.minLength(1), z.maxLength(400_000)),
})

/** Serves `/relay/prepare/…`. */
export function servePreparations(app: FastifyInstance, services: Services, { store, folder }: UploadParts): void {
  /** @throws UnauthorizedError without the ticket of a preparation in progress */
  async function admit({ headers }: FastifyRequest): Promise<UploadRow & { readonly job: string }> {
    const upload = await admitPreparing(services, String(headers['prepare-ticket']))
    if (!upload?.job) throw new UnauthorizedError('Unauthorized_ticket')
    await folder.check()
    return { ...upload, job: upload.job }
  }

  app.get('/relay/prepare/original', { config }, async (request, reply) => {
    const { file_id } = await admit(request)
    const size = await store.size(`uploads/${file_id}`)
    if (size === null || size === 0) throw new NotFoundError('NoFile')
    const part = preparePart(request, reply, { size, etag: `"${file_id}"` })
    void reply.type('application/octet-stream')
    return reply.send(await store.read(`uploads/${file_id}`, part))
  })

  void app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/octet-stream', (_request, payload, parsed) => parsed(null, payload))

    scope.put('/relay/prepare/master', { config }, async (request) => {
      const making = makingOf(await admit(request))
      const { from, bytes } = partIn(request)
      if (((await store.size(making)) ?? 0) < from) throw new AppError(416, 'NoSuchRange')
      if (bytes > (await folder.room())) throw new RuleError('UploadsRefused_disk')
      const has = await store.write(making, from, request.body as Readable)
      return { bytes: has }
    })
    done()
  })

  app.put('/relay/prepare/film', { config, bodyLimit: factsBytesMax }, async (request) => {
    const upload = await admit(request)
    const { job } = upload
    const read = z.safeParse(Facts, request.body)
    if (!read.success) throw new ValidationError([{ property: 'film', text: 'invalid' }])
    const { bytes, ms, width, height, thumbnail } = read.data
    const [making, master] = [makingOf(upload), `masters/${masterOf(job)}`] as const
    // The response to an earlier request may have been lost, or this replica was killed after the rename.
    const isNamed = (await store.size(master)) === bytes
    if (!isNamed && (await store.size(making)) !== bytes) throw new AppError(416, 'NoSuchRange')
    const picture = Buffer.from(thumbnail, 'base64')
    if (picture[0] !== 0xff || picture[1] !== 0xd8)
      throw new ValidationError([{ property: 'thumbnail', text: 'invalid' }])
    if (!isNamed) await store.finish(making, master)
    const film = await completePreparation(services, job, { bytes, durationMs: ms, width, height, thumbnail: picture })
    if (!film) {
      // It ended meanwhile. An earlier request may have completed it: then a row has the name.
      if (!(await hasMaster(services.db, masterOf(job)))) await store.remove(master)
      throw new UnauthorizedError('Unauthorized_ticket')
    }
    publishFilm(services, film, true)
    return { success: true }
  })
}

/** Returns the part of the film in a request. @throws AppError 416 for another range, or one that is too large */
function partIn({ headers }: FastifyRequest): { readonly from: number; readonly bytes: number } {
  const range = /^bytes (\d{1,15})-(\d{1,15})\/\*$/.exec(String(headers['content-range']))
  const from = Number(range?.[1])
  const bytes = Number(range?.[2]) - from + 1
  if (!range || bytes < 1 || bytes > partBytesMax || Number(headers['content-length']) !== bytes)
    throw new AppError(416, 'NoSuchRange')
  return { from, bytes }
}

// tus as the service uses it: its hooks, and its refusals in the error shape of the wire.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { Locker, ServerOptions } from '@tus/server'
import type { FastifyRequest } from 'fastify'
import { uploadsPath } from '#contract/entities/media.ts'
import type { Services } from '#server/core/context.ts'
import { AppError, ValidationError } from '#server/core/errors.ts'
import { failureOf, languageOf } from '#server/core/failures.ts'
import type { RefusalKey } from '#server/core/refusals.ts'
import { faultOf } from '#server/db/faults.ts'
import { findUploadLength } from '#server/domain/media/uploads-store.ts'
import type { MediaStore } from '#server/storage/store.ts'

/** A request as tus passes it to its hooks. */
type ServerRequest = Parameters<NonNullable<ServerOptions['onUploadFinish']>>[0]

/** A request that tus answers. */
interface Answering {
  readonly request: FastifyRequest
  /** Error of the service; null: tus refuses. */
  error: Error | null
}

export interface Tus {
  /** Answers a request. */
  handle(request: FastifyRequest, response: ServerResponse): Promise<void>
}

/** Name of uploads in logs and metrics. */
export const uploadOperation = 'upload'

/** Loads tus. @param whole called when the upload of a request of Node is complete */
export async function loadTus(
  { db, log }: Services,
  { store, locker }: { readonly store: MediaStore; readonly locker: Locker },
  whole: (request: object) => Promise<void>,
): Promise<Tus> {
  const [{ Server }, datastore] = await Promise.all([
    import('@tus/server'),
    store.uploads((name) => findUploadLength(db, name)),
  ])
  // Tus writes what its own checks refuse without a hook, and without the request.
  const answering = new AsyncLocalStorage<Answering>()
  class ShapedServer extends Server {
    override write(...[context, headers, status, text]: Parameters<InstanceType<typeof Server>['write']>) {
      const now = answering.getStore()
      if (status < 400 || !now) return super.write(context, headers, status, text)
      const { request, error } = now
      const failure = failureOf(error ?? refusalOf(status, text ?? ''), request.id, languageOf(request))
      for (const [name, value] of Object.entries(failure.headers)) headers.set(name, value)
      headers.set('content-type', 'application/json; charset=utf-8')
      headers.set('x-request-id', request.id)
      return super.write(context, headers, status, JSON.stringify(failure.body))
    }
  }
  const server = new ShapedServer({
    path: uploadsPath,
    datastore,
    relativeLocation: true,
    locker,
    // The address has the language of the answer behind the number.
    getFileIdFromRequest: ({ url }) => new URL(url).pathname.slice(uploadsPath.length + 1),
    async onUploadFinish({ runtime }: ServerRequest) {
      const raw = runtime?.node?.req
      if (!raw) throw new Error('The request is none of Node')
      await whole(raw)
      return {}
    },
    onResponseError(_request, error) {
      const now = answering.getStore()
      const own = error instanceof AppError || (error instanceof Error && faultOf(error)) ? error : null
      if (now) now.error = own
      const status = statusOf(error)
      if (status < 500) return { status_code: status, body: 'body' in error ? error.body : '' }
      // Such as a full disk. Clients of tus try again.
      log.error({ err: error, operation: uploadOperation }, 'A piece of an upload was not written')
      return { status_code: 503, body: '' }
    },
  })
  return {
    handle: (request, response) => answering.run({ request, error: null }, () => server.handle(request.raw, response)),
  }
}

function statusOf(error: Error | { readonly status_code: number }): number {
  if (error instanceof AppError) return error.status
  return 'status_code' in error ? error.status_code : 500
}

/** Refusals of tus by their status; for others see `refusalOf`. */
const refusals: Readonly<Record<number, RefusalKey>> = {
  404: 'UploadGone',
  409: 'UploadOffset',
  410: 'UploadGone',
  413: 'UploadTooLong',
  423: 'UploadLocked',
  501: 'NotServedYet',
}

/** Returns the error for a refusal that tus has written as a line of text. Its status stays that of tus. */
function refusalOf(status: number, text: string): AppError {
  const [, missing, invalid] = /^(?:([\w-]+)(?: header)? required|Invalid ([\w -]+))\n$/i.exec(text) ?? []
  if (missing !== undefined) return new ValidationError([{ property: missing, text: 'missing' }])
  if (invalid !== undefined)
    return new ValidationError(invalid.split(' ').map((property) => ({ property, text: 'invalid' })))
  return new AppError(status, refusals[status] ?? (status >= 500 ? 'UploadNotWritten' : 'BadRequest'))
}

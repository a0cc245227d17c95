// The first request of an upload: what it announces, and the reservation of its space.
import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Locker } from '@tus/server'
import type { Services } from '#server/core/context.ts'
import { ValidationError } from '#server/core/errors.ts'
import { type Announced, beginUpload, noteBegun } from '#server/domain/media/films.ts'
import type { Uploading } from '#server/domain/media/tickets.ts'
import type { MediaStore } from '#server/storage/store.ts'

export const tusVersion = '1.0.0'

/**
 * Reserves the space of an upload and makes its empty file, while no other request writes to it: a smaller reservation
 * never stands beside the bytes of an earlier one.
 * @param socket response of the request, which waits no longer than its client
 * @throws AppError `UploadLocked` when another request does not end, `UploadGone`
 */
export async function beginAlone(
  services: Services,
  store: MediaStore,
  about: Uploading,
  {
    announced,
    socket,
    locker,
  }: { readonly announced: Announced; readonly socket: ServerResponse; readonly locker: Locker },
): Promise<void> {
  const lock = locker.newLock(about.fileId)
  const leaving = new AbortController()
  socket.once('close', () => leaving.abort())
  await lock.lock(leaving.signal, () => undefined)
  try {
    await beginUpload(services, about, announced)
    await store.begin(`uploads/${about.fileId}`)
    await noteBegun(services, about, announced)
  } finally {
    await lock.unlock()
  }
}

/** Returns the length of a new upload, which is its reservation: no upload begins without one. @throws ValidationError */
export function lengthOf({ headers }: FastifyRequest): number {
  const length = String(headers['upload-length'])
  if (headers['tus-resumable'] !== tusVersion)
    throw new ValidationError([{ property: 'Tus-Resumable', text: 'one_of', values: { values: tusVersion } }])
  if (!/^(?:0|[1-9]\d{0,14})$/.test(length)) throw new ValidationError([{ property: 'Upload-Length', text: 'missing' }])
  for (const property of ['Upload-Concat', 'Upload-Defer-Length'])
    if (headers[property.toLowerCase()] !== undefined) throw new ValidationError([{ property, text: 'invalid' }])
  return Number(length)
}

/** Returns the metadata of tus: values in base64 by their keys. @throws ValidationError */
function metadataIn({ headers }: FastifyRequest): ReadonlyMap<string, string> {
  const header = String(headers['upload-metadata'] ?? '')
  const pairs = header === '' ? [] : header.split(',').map((one) => /^ *([^\s,]+)(?: ([\w+/=-]*))? *$/.exec(one))
  return new Map(
    pairs.map((pair) => {
      if (!pair) throw new ValidationError([{ property: 'Upload-Metadata', text: 'invalid' }])
      return [pair[1] ?? '', pair[2] ?? '']
    }),
  )
}

/** Returns the name of the file in the metadata of tus, without its ending; empty: none. @throws ValidationError */
export function nameIn(request: FastifyRequest): string {
  const metadata = metadataIn(request)
  const text = Buffer.from(metadata.get('filename') ?? metadata.get('name') ?? '', 'base64').toString('utf8')
  return text
    .replaceAll(/\p{C}/gu, '')
    .replace(/\.[^.]{1,5}$/, '')
    .trim()
    .slice(0, 255)
}

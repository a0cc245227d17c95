// Files on relay nodes as streams, and ranges of files: a node sends each over its own connection, with backpressure.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { AppError } from '#server/core/errors.ts'
import type { Part } from '#server/core/object-store.ts'

const types: Readonly<Record<string, string>> = { mp4: 'video/mp4', flv: 'video/x-flv' }

/** Returns the media type of a recording by its name. */
export const typeOfFile = (file: string): string => types[file.slice(-3)] ?? 'video/mp4'

/**
 * Reads a part of a file from the connection that a node opened for it.
 * @param size of the whole file, as the node reported it
 * @throws when the file is missing or has another size
 */
export function fileOf(socket: WebSocket, size: number, { from, to }: Part): Promise<Readable> {
  let left = to - from + 1
  let isKnown = false
  const body = new Readable({
    read: () => socket.resume(),
    destroy: (error, done) => (socket.terminate(), done(error)),
  })
  return new Promise((resolve, reject) => {
    socket.on('message', (bytes: Buffer, isBinary) => {
      if (isBinary && isKnown) {
        left -= bytes.length
        if (!body.push(bytes)) socket.pause()
        if (left === 0) body.push(null)
      } else if (!isKnown && Number(bytes.toString('utf8')) === size) {
        isKnown = true
        if (left <= 0) body.push(null)
        resolve(body)
      } else {
        socket.terminate()
      }
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      reject(new Error('The file is not there'))
      if (isKnown && left > 0) body.destroy(new Error('The line to the node broke'))
    })
    socket.resume()
  })
}

/**
 * Parses the range of a request (RFC 9110, 14): one range, as browsers and players send.
 * @returns null: the whole file; `none`: the range is not satisfiable
 */
export function rangeOf(header: string | undefined, size: number): Part | null | 'none' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  const [, first = '', last = ''] = match ?? []
  if (first === '' && last === '') return null
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < from) return null
  return from > to ? 'none' : { from, to }
}

/**
 * Sets the headers of a response with a file, or the part of it that the request names.
 * @returns the part to send
 * @throws AppError 416
 */
export function preparePart(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { size, etag }: { readonly size: number; readonly etag: string },
): Part {
  void reply.headers({ etag, 'accept-ranges': 'bytes' })
  const isSame = [undefined, etag].includes(headers['if-range'] as string | undefined)
  const range = isSame ? rangeOf(headers.range, size) : null
  if (range === 'none') {
    void reply.header('content-range', `bytes */${size}`)
    throw new AppError(416, 'NoSuchRange')
  }
  const part = range ?? { from: 0, to: size - 1 }
  if (range) void reply.code(206).header('content-range', `bytes ${part.from}-${part.to}/${size}`)
  void reply.header('content-length', part.to - part.from + 1)
  return part
}

// Downloads of recordings, each authorized by a ticket in its address.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { mayWatch } from '#server/domain/projects/access.ts'
import type { Services } from '#server/core/context.ts'
import { UnauthorizedError } from '#server/core/errors.ts'
import { downloadName, type Fetching, getRecording, recordingTickets } from '#server/domain/broadcasts/recordings.ts'
import { archiveMachine } from '#server/domain/broadcasts/recordings-store.ts'
import type { ObjectStore, Part } from '#server/core/object-store.ts'
import { createDownloads } from './downloads.ts'
import { fileOf, preparePart, typeOfFile } from './recording-files.ts'

const config = { operation: 'recording' }
/** Concurrent downloads of a project. */
const downloadsMax = 10

interface FileRoute {
  readonly Params: { readonly id: string }
  readonly Querystring: { readonly ticket?: string }
}
type Open = (node: string, part: Part & { readonly file: string }) => Promise<WebSocket>

export interface RecordingPlaces {
  /** Opens a part of a file at its node. */
  readonly open: Open
  /** Null: there is no bucket. */
  readonly store: ObjectStore | null
}

/** Serves `/recordings/<number>/<name>`, from the disk of a node or from the bucket. */
export function serveRecordings(app: FastifyInstance, services: Services, { open, store }: RecordingPlaces): void {
  const downloads = createDownloads(services, downloadsMax)
  const read = async (
    node: string,
    { file, size, ...part }: Part & { readonly file: string; readonly size: number },
  ) => {
    if (node !== archiveMachine) return fileOf(await open(node, { file, ...part }), size, part)
    if (store === null) throw new Error('S3_URL is not set')
    return store.read(file, part)
  }

  /** @throws UnauthorizedError without a ticket for this file, or when its user lost access */
  async function getFetching(request: FastifyRequest<FileRoute>): Promise<Fetching> {
    const fetching = recordingTickets.read(services, String(request.query.ticket))
    if (!fetching || String(fetching.id) !== request.params.id || !(await mayWatch(services, fetching)))
      throw new UnauthorizedError('Unauthorized_ticket')
    return fetching
  }

  app.route<FileRoute>({
    method: ['GET', 'HEAD'],
    url: '/recordings/:id/:name',
    config,
    async handler(request, reply) {
      const fetching = await getFetching(request)
      const row = await getRecording(services.db, fetching.projectId, fetching.id)
      const { file, node } = row
      const size = Number(row.bytes)
      void reply.type(typeOfFile(file)).headers({
        'cache-control': 'private, no-cache',
        'content-disposition': `attachment; filename="${downloadName(row)}"`,
        'last-modified': new Date(row.date_create).toUTCString(),
      })
      const part = preparePart(request, reply, { size, etag: `"${row.id}-${size}"` })
      if (request.method === 'HEAD') return reply.send()
      return reply.send(await downloads.begin(fetching, () => read(node, { file, size, ...part })))
    },
  })
}

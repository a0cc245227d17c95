// Preview of a project on air as FLV, HLS and JPEG, authorized by a ticket.
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { NotFoundError, UnauthorizedError } from '#server/core/errors.ts'
import { mayWatch } from '#server/domain/projects/access.ts'
import { hlsTickets, previewTickets, type Watching } from '#server/domain/broadcasts/preview-tickets.ts'
import { type Hls, hlsPlaylist } from './hls.ts'
import type { Previews } from './previews.ts'

const scheme = /^preview +(\S+)$/i
const config = { operation: 'preview' }
/** Previews do not count as players of a pull key. */
const noKey = 0

/** Serves `/preview/<project>.flv` and `.jpg`, and HLS below `/preview/<project>/`. */
export function servePreviews(app: FastifyInstance, services: Services, previews: Previews, hls: Hls): void {
  /** @throws UnauthorizedError without a ticket for this project, or when its session or membership has ended */
  async function getWatching(
    request: FastifyRequest<{ Params: { project: string } }>,
    tickets: typeof previewTickets,
    ticket: string,
  ): Promise<Watching> {
    const watching = tickets.read(services, ticket)
    if (String(watching?.projectId) === request.params.project && watching && (await mayWatch(services, watching)))
      return watching
    throw new UnauthorizedError('Unauthorized_ticket')
  }
  const byHeader = (request: FastifyRequest<{ Params: { project: string } }>) =>
    getWatching(request, previewTickets, scheme.exec(request.headers.authorization ?? '')?.[1] ?? '')

  app.get<{ Params: { project: string } }>('/preview/:project.flv', { config }, async (request, reply) => {
    const watching = await byHeader(request)
    await previews.watch(watching, reply.raw, () => {
      reply.hijack()
      // A stream may be silent for a while: its encoder is disconnected.
      request.socket.setTimeout(0)
      request.socket.setNoDelay(true)
      const headers = reply.getHeaders() as OutgoingHttpHeaders
      // The end of a stream closes its connection.
      reply.raw.writeHead(200, {
        ...headers,
        'content-type': 'video/x-flv',
        connection: 'close',
        // Disables response buffering of nginx, which would add latency.
        'x-accel-buffering': 'no',
      })
      reply.raw.flushHeaders()
    })
    return reply
  })

  app.get<{ Params: { project: string } }>('/preview/:project.jpg', { config }, async (request, reply) => {
    const poster = services.relay.previewSources((await byHeader(request)).projectId)?.poster
    if (!poster) throw new NotFoundError('NoPicture')
    const etag = `"${poster.at}"`
    void reply.headers({
      etag,
      'cache-control': 'private, no-cache',
      'last-modified': new Date(poster.at).toUTCString(),
    })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('image/jpeg').send(poster.jpeg)
  })

  app.get<{ Params: { project: string; file: string }; Querystring: { ticket?: string } }>(
    '/preview/:project/:file',
    { config },
    async (request, reply) => {
      const ticket = String(request.query.ticket)
      const watching = await getWatching(request, hlsTickets, ticket)
      const { file } = request.params
      const viewer = `preview ${watching.sessionId}`
      const bytes = await hls.file({ projectId: watching.projectId, keyId: noKey }, viewer, file)
      if (!bytes) throw new NotFoundError()
      const isPlaylist = file === hlsPlaylist
      return reply
        .header('cache-control', isPlaylist ? 'no-cache' : 'private, max-age=60')
        .type(isPlaylist ? 'application/vnd.apple.mpegurl' : 'video/mp2t')
        .send(isPlaylist ? withTicket(bytes.toString('utf8'), ticket) : bytes)
    },
  )
}

/** File names from the playlist. */
const withTicket = (playlist: string, ticket: string): string =>
  playlist.replaceAll(/^(\d+\.ts)$/gm, `$1?ticket=${ticket}`)

// HLS for players, authorized by the pull key in the path.
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { AppError, NotFoundError } from '#server/core/errors.ts'
import { admitPlayer } from '#server/domain/broadcasts/pulls.ts'
import { type Hls, hlsPlaylist } from './hls.ts'

const config = { operation: 'pull' }

/** Serves `/pull/<key>/index.m3u8` and its segments. */
export function serveHls(app: FastifyInstance, services: Services, hls: Hls): void {
  app.get<{ Params: { key: string; file: string } }>('/pull/:key/:file', { config }, async (request, reply) => {
    const { key, file } = request.params
    // CORS for any origin: the address contains the key.
    void reply.header('access-control-allow-origin', '*')
    const verdict = await admitPlayer(services, { key, address: request.ip, transport: 'hls' })
    if ('refuse' in verdict) throw new AppError(404, 'NoStream')
    const viewer = `${request.ip} ${request.headers['user-agent'] ?? ''}`
    const bytes = await hls.file(verdict, viewer, file)
    if (!bytes) throw new NotFoundError()
    const isPlaylist = file === hlsPlaylist
    return reply
      .header('cache-control', isPlaylist ? 'no-cache' : 'private, max-age=60')
      .type(isPlaylist ? 'application/vnd.apple.mpegurl' : 'video/mp2t')
      .send(bytes)
  })
}

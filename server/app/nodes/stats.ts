// Statistics of the encoder for programs that switch scenes by them, such as NOALBS: the JSON of SRT Live Server.
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { admitStatsKey } from '#server/domain/ingest/stats-keys.ts'
import type { RelayGate } from './relay-gate.ts'

const config = { operation: 'stats' }

/** Serves `/stats/<stats key>`. The key is in the path, because NOALBS sends no headers; no log of the service contains it. */
export function serveStats(app: FastifyInstance, services: Services, { figures }: Pick<RelayGate, 'figures'>): void {
  app.get<{ Params: { key: string } }>('/stats/:key', { config }, async (request) => {
    const projectId = await admitStatsKey(services, request.params.key, request.ip)
    const live = await figures(projectId)
    return { publishers: live ? { live } : {}, status: 'ok' }
  })
}

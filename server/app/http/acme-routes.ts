// Answers to the authority that issues the certificate (http-01, RFC 8555, 8.3).
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { NotFoundError } from '#server/core/errors.ts'
import { findChallenge } from '#server/domain/installation/acme-store.ts'

/** Base64url, as the RFC says. */
const tokenShape = /^[\w-]{1,256}$/

/** Serves the answers of running orders, from the database: the authority may reach any replica. */
export function serveChallenges(server: FastifyInstance, { db }: Pick<Services, 'db'>): void {
  server.get<{ Params: { readonly token: string } }>(
    '/.well-known/acme-challenge/:token',
    { config: { operation: 'acmeChallenge' } },
    async ({ params: { token } }, reply) => {
      const answer = tokenShape.test(token) ? await findChallenge(db, token) : undefined
      if (answer === undefined) throw new NotFoundError()
      return reply.type('text/plain').send(answer)
    },
  )
}

// Webhook of Kick: `POST /kick/webhook`. The scope keeps the raw body, because the signature covers it.
import type { FastifyInstance } from 'fastify'
import { AppError, NotFoundError } from '#server/core/errors.ts'
import type { Services } from '#server/core/context.ts'
import { takeKickWebhook } from '#server/platforms/kick/webhook.ts'
import { createWebhookGate } from './webhook-gate.ts'

const bodyLimit = 256 * 1024
/** Messages of a network that has not signed one. */
const unknownPerMinute = 120
const config = { operation: 'webhook' }

/** Serves the webhook. Larger bodies are refused with 413 before they are read. */
export async function serveKickWebhook(app: FastifyInstance, services: Services): Promise<void> {
  const { onRequest, verified } = createWebhookGate(services, 'kick', unknownPerMinute)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_, body, done) => done(null, body))
    scope.route({
      method: 'POST',
      url: '/kick/webhook',
      bodyLimit,
      config,
      onRequest,
      async handler({ headers, body, ip }) {
        if (services.config.providers.kick === null) throw new NotFoundError()
        const rawBody = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        const outcome = await takeKickWebhook(services, headers, rawBody)
        if (outcome === 'forged') throw new AppError(403, 'NotVerified')
        verified(ip)
        if (outcome === 'old') throw new AppError(403, 'TooOld')
        return { received: true }
      },
    })
  })
}

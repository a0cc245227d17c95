// Webhook of Kick: `POST /kick/webhook`. The scope keeps the raw body, because the signature covers it.
import type { FastifyInstance } from 'fastify'
import { AppError, NotFoundError } from '#server/core/errors.ts'
import { networkOf } from '#server/core/limits.ts'
import type { Services } from '#server/core/context.ts'
import { takeKickWebhook } from '#server/domain/platforms/kick-webhook.ts'

const bodyLimit = 256 * 1024
/** Messages of a network that has not signed one: the rest is refused before the body is read. Kick repeats refused ones. */
const unknownPerMinute = 120
/** Networks whose signatures were valid have no limit for this time, milliseconds. */
const knownMs = 3_600_000
const knownMax = 1_000
const config = { operation: 'webhook' }

/** Serves the webhook. Larger bodies are refused with 413 before they are read. */
export async function serveKickWebhook(app: FastifyInstance, services: Services): Promise<void> {
  const { clock, limits } = services
  const known = new Map<string, number>()
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_, body, done) => done(null, body))
    scope.route({
      method: 'POST',
      url: '/kick/webhook',
      bodyLimit,
      config,
      async onRequest({ ip }) {
        const network = networkOf(ip)
        if ((known.get(network) ?? 0) > clock.now().getTime()) return
        known.delete(network)
        limits.count(`kick ${network}`, unknownPerMinute)
      },
      async handler({ headers, body, ip }) {
        if (services.config.providers.kick === null) throw new NotFoundError()
        const rawBody = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        const outcome = await takeKickWebhook(services, headers, rawBody)
        if (outcome === 'forged') throw new AppError(403, 'NotVerified', 'The message could not be verified')
        if (known.size >= knownMax) known.clear()
        known.set(networkOf(ip), clock.now().getTime() + knownMs)
        if (outcome === 'old') throw new AppError(403, 'TooOld', 'The message is too old')
        return { received: true }
      },
    })
  })
}

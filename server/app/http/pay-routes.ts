// Webhooks of payment providers: `POST /pay/webhook/<provider>`. The scope keeps the raw body, because signatures cover it.
import type { FastifyInstance } from 'fastify'
import { AppError, NotFoundError } from '#server/core/errors.ts'
import type { Services } from '#server/core/context.ts'
import { receiveMessage } from '#server/domain/billing/payments/inbox.ts'
import { createWebhookGate } from './webhook-gate.ts'

const bodyLimit = 64 * 1024
/** Messages of a network that has not signed one. */
const unknownPerMinute = 300
const config = { operation: 'webhook' }

/** Serves webhooks. A job checks the payment, so that a slow provider delays no message. */
export async function servePayWebhooks(app: FastifyInstance, services: Services): Promise<void> {
  const { onRequest, verified } = createWebhookGate(services, 'pay webhook', unknownPerMinute)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_, body, done) => done(null, body))
    scope.route<{ Params: { readonly provider: string } }>({
      method: 'POST',
      url: '/pay/webhook/:provider',
      bodyLimit,
      config,
      onRequest,
      async handler({ headers, body, ip, params }) {
        const rawBody = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        const outcome = await receiveMessage(services, params.provider, { headers, rawBody, address: ip })
        if (outcome === 'unknown') throw new NotFoundError()
        if (outcome === 'forged') throw new AppError(400, 'NotVerified')
        if (outcome === 'verified') verified(ip)
        return { received: true }
      },
    })
  })
}

// Limit of webhook messages for each network, counted before a body is read.
import type { FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { networkOf } from '#server/core/limits.ts'

/** Networks whose signatures were valid have no limit for this time, milliseconds. */
const knownMs = 3_600_000
const knownMax = 1_000

export interface WebhookGate {
  /** Hook of a route. @throws RateLimitedError above the limit; senders repeat refused messages */
  onRequest(request: Pick<FastifyRequest, 'ip'>): Promise<void>
  /** Notes that a message from an address had a valid signature. */
  verified(ip: string): void
}

/** @param perMinute messages of a network that has not signed one */
export function createWebhookGate(
  { clock, limits }: Pick<Services, 'clock' | 'limits'>,
  name: string,
  perMinute: number,
): WebhookGate {
  const known = new Map<string, number>()
  return {
    async onRequest({ ip }) {
      const network = networkOf(ip)
      if ((known.get(network) ?? 0) > clock.now().getTime()) return
      known.delete(network)
      limits.count(`${name} ${network}`, perMinute)
    },
    verified(ip) {
      if (known.size >= knownMax) known.clear()
      known.set(networkOf(ip), clock.now().getTime() + knownMs)
    },
  }
}

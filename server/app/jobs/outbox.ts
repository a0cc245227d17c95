// Job of notifications: sends what is due each second, to users and webhooks. Any number of replicas may run it.
import type { Services } from '#server/core/context.ts'
import { createOutbox, type OnFailed } from '#server/delivery/outbox.ts'
import { runWebhooks } from '#server/delivery/webhooks.ts'

const everyMs = 1_000
/** Rounds of webhooks at the same time: a receiver that does not answer for 15 s must not delay the messages of others. */
const webhookRounds = 20

/** Starts the job, unless NOTIFICATIONS is off. @returns a function that stops it and waits for the messages that are being sent */
export function watchOutbox(services: Services, onFailed: OnFailed): () => Promise<void> {
  if (!services.config.sendsNotifications) return async () => {}
  const outbox = createOutbox(services, { onFailed })
  const webhooks = new Set<Promise<void>>()
  const logged = (error: unknown) => services.log.error({ err: error }, 'Notifications could not be sent')
  const timer = setInterval(() => {
    outbox.fill().catch(logged)
    if (webhooks.size >= webhookRounds) return
    const round: Promise<void> = runWebhooks(services, onFailed)
      .then(() => {}, logged)
      .finally(() => webhooks.delete(round))
    webhooks.add(round)
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await Promise.all([outbox.stop(), ...webhooks])
  }
}

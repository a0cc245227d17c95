// Job of notifications: sends what is due each second, to people and webhooks. Any number of replicas may run it.
import type { Services } from '#server/core/context.ts'
import { runOutbox } from '#server/delivery/outbox.ts'
import { runWebhooks } from '#server/delivery/webhooks.ts'

const everyMs = 1_000

/** Starts the job, unless NOTIFICATIONS is off. @returns a function that stops it and waits for the running round */
export function watchOutbox(services: Services): () => Promise<void> {
  if (!services.config.sendsNotifications) return async () => {}
  let running: Promise<unknown> | null = null
  const timer = setInterval(() => {
    running ??= Promise.all([runOutbox(services), runWebhooks(services)])
      .catch((error: unknown) => services.log.error({ err: error }, 'Notifications could not be sent'))
      .finally(() => (running = null))
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

// Job of notifications: sends what is due each second, to people and webhooks. Any number of replicas may run it.
import type { Services } from '#server/core/context.ts'
import { type OnFailed, runOutbox } from '#server/delivery/outbox.ts'
import { runWebhooks } from '#server/delivery/webhooks.ts'

const everyMs = 1_000
/** Rounds at the same time: a receiver that does not answer for 15 s must not delay the messages of others. */
const most = { outbox: 4, webhooks: 20 } as const

/** Starts the job, unless NOTIFICATIONS is off. @returns a function that stops it and waits for the running rounds */
export function watchOutbox(services: Services, onFailed: OnFailed): () => Promise<void> {
  if (!services.config.sendsNotifications) return async () => {}
  const running = { outbox: new Set<Promise<void>>(), webhooks: new Set<Promise<void>>() }
  const start = (which: keyof typeof running, run: () => Promise<unknown>) => {
    if (running[which].size >= most[which]) return
    const round: Promise<void> = run()
      .then(
        () => {},
        (error: unknown) => services.log.error({ err: error }, 'Notifications could not be sent'),
      )
      .finally(() => running[which].delete(round))
    running[which].add(round)
  }
  const timer = setInterval(() => {
    start('outbox', () => runOutbox(services, undefined, onFailed))
    start('webhooks', () => runWebhooks(services, onFailed))
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await Promise.all([...running.outbox, ...running.webhooks])
  }
}

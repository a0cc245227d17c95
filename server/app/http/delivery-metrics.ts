// Metric of notifications that did not reach their recipients.
import { Counter, type Registry } from 'prom-client'
import type { OnFailed } from '#server/delivery/outbox.ts'

const channels = ['email', 'telegram', 'mobile', 'webhook'] as const

/** Adds the metric `notification_deliveries_failed_total`. @returns a function that counts deliveries of a channel */
export function countFailedDeliveries(registry: Registry): OnFailed {
  const failed = new Counter({
    name: 'notification_deliveries_failed_total',
    help: 'Notifications that a channel did not deliver after all attempts, by this process since its start',
    labelNames: ['channel'],
    registers: [registry],
  })
  for (const channel of channels) failed.inc({ channel }, 0)
  return (channel, count) => failed.inc({ channel }, count)
}

// Job of payments: looks at payments that are due, refunds without an answer, and reconciliation. Any number of replicas may run it.
import type { Services } from '#server/core/context.ts'
import { runLooks } from '#server/domain/billing/looks.ts'
import { reconcile } from '#server/domain/billing/reconcile.ts'
import { runRefunds } from '#server/domain/billing/refunds.ts'

const looksEvery = 3_000

/** Starts the job. @returns a function that stops it and waits for the running round */
export function watchPayments(services: Services): () => Promise<void> {
  let running: Promise<unknown> | null = null
  const timer = setInterval(() => {
    running ??= round(services)
      .catch((error: unknown) => services.log.error({ err: error }, 'Payments could not be looked at'))
      .finally(() => (running = null))
  }, looksEvery).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

async function round(services: Services): Promise<void> {
  await runLooks(services)
  await runRefunds(services)
  await reconcile(services)
}

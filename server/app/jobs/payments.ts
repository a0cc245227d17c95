// Job of payments: looks at payments that are due, refunds without an answer, and reconciliation. Any number of replicas may run it.
import type { Services } from '#server/core/context.ts'
import { runLooks } from '#server/domain/billing/looks.ts'
import { reconcile } from '#server/domain/billing/reconcile.ts'
import { runRefunds } from '#server/domain/billing/refunds.ts'

const everyMs = 3_000

/** Starts the job. @returns a function that stops it and waits for the running rounds */
export function watchPayments(services: Services): () => Promise<void> {
  // Reconciliation may take minutes: the looks at new payments do not wait for it.
  const stops = [
    repeat(services, async () => {
      await runLooks(services)
      await runRefunds(services)
    }),
    repeat(services, () => reconcile(services)),
  ]
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}

/** Runs a task at intervals, never twice at a time. @returns a function that stops it and waits for the running one */
function repeat(services: Services, task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= task()
      .catch((error: unknown) => services.log.error({ err: error }, 'Payments could not be looked at'))
      .finally(() => (running = null))
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

// Job of payments: looks at payments that are due, refunds without an answer, reconciliation, and closing receipts. Any number
// of replicas may run it.
import type { Services } from '#server/core/context.ts'
import { runClosingReceipts } from '#server/domain/billing/closing-receipts.ts'
import { runLooks } from '#server/domain/billing/looks.ts'
import { reconcile } from '#server/domain/billing/reconcile.ts'
import { runRefunds } from '#server/domain/billing/refunds.ts'
import { repeat } from './repeat.ts'

const everyMs = 3_000

/** Starts the job. @returns a function that stops it and waits for the running rounds */
export function watchPayments(services: Services): () => Promise<void> {
  const onError = (error: unknown) => services.log.error({ err: error }, 'Payments could not be looked at')
  const look = async () => {
    await runLooks(services)
    await runRefunds(services)
  }
  // Reconciliation may take minutes: the looks at new payments do not wait for it, nor for receipts.
  const rounds = [look, () => reconcile(services), async () => void (await runClosingReceipts(services))]
  const stops = rounds.map((round) => repeat(everyMs, round, onError))
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}

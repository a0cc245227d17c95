// Jobs of payments in tests: run on demand.
import type { Services } from '#server/core/context.ts'
import type { JobKind } from '#server/core/jobs.ts'
import { insertJobs } from '#server/db/jobs.ts'
import { receiptJob } from '#server/domain/billing/receipts/closing-receipts.ts'
import { checkJob, checkJobWith } from '#server/domain/billing/payments/checks.ts'
import { reconcileJob } from '#server/domain/billing/payments/reconcile.ts'
import { refundJob } from '#server/domain/billing/refunds/refunds.ts'
import type { PayServices } from '#server/domain/billing/providers/provider.ts'
import type { settlement } from '#server/domain/billing/payments/settlement.ts'
import { ageJobs, runJobs } from '#server/testing/jobs.ts'
import type { World } from '#server/testing/test-app.ts'

/** Checks every payment whose check is due. @returns the number of checks */
export const runChecks = (services: Services, rules?: typeof settlement): Promise<number> =>
  runJobs(services, [checkJobWith(rules)])

/** Sends refunds again that are due. @returns their number */
export const runRefunds = (services: Services): Promise<number> => runJobs(services, [refundJob])

/** Takes the steps of closing receipts that are due. @returns their number */
export const runClosingReceipts = (services: Services): Promise<number> => runJobs(services, [receiptJob])

/** Reconciles the providers that are due, as a start of the service does. */
export async function reconcile(services: Services): Promise<void> {
  await insertMissing(services, reconcileJob)
  await runJobs(services, [reconcileJob])
}

/** Inserts the missing jobs of a kind, as the service does at its start and each hour. */
export async function insertMissing(services: Services, { kind, missing }: JobKind<PayServices>): Promise<void> {
  await insertJobs(services.db, kind, (await missing?.(services.db, services)) ?? [])
}

/** Returns the payments for which a check is scheduled. */
export async function listChecks({ db }: Pick<Services, 'db'>): Promise<readonly number[]> {
  const rows = await db.selectFrom('jobs').select('key').where('kind', '=', checkJob.kind).execute()
  return rows.map(({ key }) => Number(key))
}

/** Lets time pass for the clock and for jobs. */
export async function pass({ clock, services }: Pick<World, 'clock' | 'services'>, ms: number): Promise<void> {
  clock.advance(ms)
  await ageJobs(services.db, ms)
}

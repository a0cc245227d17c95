// Renewals in tests: their jobs follow the clock of the test.
import { sql } from 'kysely'
import { pino } from 'pino'
import { renewals } from '#server/app/jobs/kinds.ts'
import type { Services } from '#server/core/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { type RenewalKinds, type RenewalOptions, renewalKindsWith } from '#server/domain/billing/renewals/renewals.ts'
import { runJobs } from '#server/testing/jobs.ts'

/** Times of the last rounds by clock, milliseconds. */
const last = new WeakMap<Services['clock'], number>()

/** Prepares renewals, and tries those that are due, once in each minute of the clock. */
export const renewOnce = (services: Services): Promise<void> => runRound(services, renewals)

/** Runs a round without a service. */
export const runRenewals = (options: RenewalOptions): Promise<void> =>
  runRound(
    { ...options, log: pino({ level: 'silent' }) } as unknown as Services,
    renewalKindsWith(() => options),
  )

async function runRound(services: Services, { preparation, renewal }: RenewalKinds<Services>): Promise<void> {
  const { db, clock } = services
  const now = clock.now().getTime()
  const passed = Math.max(0, now - (last.get(clock) ?? now))
  last.set(clock, now)
  await transaction(db, async (trx) => {
    await sql`update jobs set due = due - ${passed} where kind in (${preparation.kind}, ${renewal.kind})`.execute(trx)
  })
  await runJobs(services, [preparation, renewal])
}

// Times of the checks of payments, and requests for them.
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import { scheduleJob, unscheduleJob } from '#server/db/jobs.ts'
import type { Trx } from '#server/db/open.ts'

/** A payment that the customer does not continue ends after this time, milliseconds. */
export const patienceMs = 24 * 3_600_000

/** Providers may forget idempotency keys after a day: an older call is found by metadata instead of repeated. */
export const keyMs = 23 * 3_600_000

/** Kind of the jobs that check payments. The key is the payment. */
export const checkKind = { kind: 'billing.check' } as const

/** Delay of each check of a pending payment after the one before. */
const checkBackoff: Backoff = { ladderMs: [10_000, 60_000, 300_000, 1_800_000, 3_600_000] }

/** Returns the delay before the next check of a pending payment, milliseconds. @param checks number of checks so far */
export const checkDelayMs = (checks: number): number => backoffMs(checkBackoff, checks + 1)

/**
 * Requests a check of a payment; it begins after the commit. A check in progress is followed by another one.
 * @param inMs time until the check, milliseconds; an earlier check stays
 */
export const scheduleCheck = (trx: Trx, paymentId: number, inMs = 0): Promise<void> =>
  scheduleJob(trx, checkKind, paymentId, { inMs, skipsBackoff: true })

/** Cancels the check of a payment that has ended. A check in progress is not affected. */
export const unscheduleCheck = (trx: Trx, paymentId: number): Promise<void> => unscheduleJob(trx, checkKind, paymentId)

// Times of looks at payments, and requests for them.
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import { scheduleJob, unscheduleJob } from '#server/db/jobs.ts'
import type { Trx } from '#server/db/open.ts'

/** A payment that the customer does not continue ends after this time, milliseconds. */
export const patienceMs = 24 * 3_600_000

/** Providers may forget idempotency keys after a day: an older call is found by metadata instead of repeated. */
export const keyMs = 23 * 3_600_000

/** Kind of the jobs that look at payments. The key is the payment. */
export const lookKind = { kind: 'billing.look' } as const

/** Delay of each look of a pending payment after the one before. */
export const lookBackoff: Backoff = { ladderMs: [10_000, 60_000, 300_000, 1_800_000, 3_600_000] }

/** Returns the delay before the next look of a pending payment, milliseconds. @param looks number of looks so far */
export const lookDelayMs = (looks: number): number => backoffMs(lookBackoff, looks + 1)

/**
 * Requests a look at a payment; it begins after the commit. A look in progress is followed by another one.
 * @param inMs time until the look, milliseconds; an earlier look stays
 */
export const scheduleLook = (trx: Trx, paymentId: number, inMs = 0): Promise<void> =>
  scheduleJob(trx, lookKind, paymentId, { inMs, skipsBackoff: true })

/** Cancels the look at a payment that has ended. A look in progress is not affected. */
export const unscheduleLook = (trx: Trx, paymentId: number): Promise<void> => unscheduleJob(trx, lookKind, paymentId)

// Times of looks at pending payments.
import { iso, later } from '#server/core/clock.ts'

/** A payment that the customer does not continue ends after this time, milliseconds. */
export const patienceMs = 24 * 3_600_000

/** Providers may forget idempotency keys after a day: an older call is found by metadata instead of repeated. */
export const keyMs = 23 * 3_600_000

/** Delay of each look of a pending payment after the one before, milliseconds; the last one repeats. */
const delays = [10_000, 60_000, 300_000, 1_800_000, 3_600_000] as const

/** Returns the time of the next look of a pending payment. @param looks number of looks so far */
export const nextLook = (now: Date, looks: number): string =>
  iso(later(now, delays[Math.min(looks, delays.length - 1)] ?? 3_600_000))

// Quota that a platform gives the whole installation: a counter per day splits it, so that chat leaves units for beginning,
// ending and titles of broadcasts.
import type { PlatformType } from '#contract/entities/channel.ts'
import type { Services } from '#server/core/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { sumQuota, updateQuotaGone, upsertQuota } from './quota-store.ts'

/** YouTube: units of a day (default of Google's console), and their parts. 20 % are never used by chat. */
export const youtubeQuota = {
  units: 10_000,
  parts: { read: 0.6, write: 0.2 },
  timeZone: 'America/Los_Angeles',
} as const

export type QuotaPurpose = keyof typeof youtubeQuota.parts

/**
 * Counts units before a call.
 * @returns null when the call may be made, else the time when the quota is renewed
 */
export async function spendQuota(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  platform: PlatformType,
  purpose: QuotaPurpose,
  units: number,
): Promise<Date | null> {
  const now = clock.now()
  const max = Math.floor(youtubeQuota.units * youtubeQuota.parts[purpose])
  const day = dayOf(now)
  const isSpent = await transaction(db, (trx) => upsertQuota(trx, { platform, day, purpose, units }, max))
  return isSpent ? null : nextMidnight(now)
}

/** Stops chat until the quota is renewed, after the platform refused a call. @returns that time */
export async function markQuotaGone(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  platform: PlatformType,
): Promise<Date> {
  const now = clock.now()
  const day = dayOf(now)
  await transaction(db, async (trx) => {
    for (const purpose of ['read', 'write'] as const) await updateQuotaGone(trx, { platform, day, purpose })
  })
  return nextMidnight(now)
}

/** Returns the units that are left today for a purpose. */
export async function quotaLeft(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  platform: PlatformType,
  purpose: QuotaPurpose,
): Promise<number> {
  const { units, gone } = await sumQuota(db, { platform, day: dayOf(clock.now()), purpose })
  return gone ? 0 : Math.max(0, Math.floor(youtubeQuota.units * youtubeQuota.parts[purpose]) - units)
}

/** Day in the time zone of the quota, `2026-11-22`. */
const dayOf = (at: Date): string => new Intl.DateTimeFormat('en-CA', { timeZone: youtubeQuota.timeZone }).format(at)

/** Returns the next midnight in the time zone of the quota. */
export function nextMidnight(now: Date): Date {
  const today = dayOf(now)
  // Quarters of an hour: time zones and daylight saving change at those.
  const quarter = 15 * 60_000
  let at = Math.ceil((now.getTime() + 1) / quarter) * quarter
  while (dayOf(new Date(at)) === today) at += quarter
  return new Date(at)
}

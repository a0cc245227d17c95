// Quota that a platform gives the whole installation: a counter per day splits it, so that chat leaves units for beginning,
// ending and titles of broadcasts.
import type { PlatformType } from '#contract/entities/channel.ts'
import { iso } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { env, orNull, settings, anyText, whole } from '#server/core/variables.ts'
import { transaction } from '#server/db/transaction.ts'
import { listQuota, updateQuotaGone, upsertQuota } from './quota-store.ts'

export const youtubeSettings = settings({
  /** Reads public data of YouTube; null without one. */
  youtubeApiKey: env(
    'YOUTUBE_API_KEY',
    anyText,
    '',
    'API key of YouTube Data API v3: reads chats of channels without a connected account. Empty: the account is required',
    orNull,
  ),
  youtubeQuota: env(
    'YOUTUBE_QUOTA',
    whole(100, 1_000_000_000),
    '10000',
    'Units of YouTube Data API that Google grants this installation a day; chat uses at most 80 %',
  ),
})

/** Parts of YouTube's units of a day (`YOUTUBE_QUOTA`) for chat; the rest is for broadcasts. */
const parts = { read: 0.6, write: 0.2 } as const
const timeZone = 'America/Los_Angeles'

type QuotaServices = Pick<Services, 'db' | 'clock' | 'config'>
export type QuotaPurpose = keyof typeof parts

/** Units of a purpose a day. */
const unitsOf = ({ config }: Pick<Services, 'config'>, purpose: QuotaPurpose): number =>
  Math.floor(config.youtubeQuota * parts[purpose])

/**
 * Counts units before a call.
 * @returns null when the call may be made, else the time when the quota is renewed
 */
export async function spendQuota(
  services: QuotaServices,
  platform: PlatformType,
  purpose: QuotaPurpose,
  units: number,
): Promise<Date | null> {
  const { db, clock } = services
  const now = clock.now()
  const day = dayOf(now)
  const isSpent = await transaction(db, async (trx) => {
    const { max } = partOf(services, await listQuota(trx, { platform, day }), purpose)
    return await upsertQuota(trx, { platform, day, purpose, units }, max)
  })
  return isSpent ? null : nextMidnight(now)
}

/** Largest value of the column on PostgreSQL. */
const unlimited = 2 ** 31 - 1

/** Counts units of a call outside chat. Such calls are never refused: where they need more than their part, chat has less. */
export async function addUnits(services: QuotaServices, platform: PlatformType, units: number): Promise<void> {
  const row = { platform, day: dayOf(services.clock.now()), purpose: 'broadcast', units } as const
  await transaction(services.db, (trx) => upsertQuota(trx, row, unlimited))
}

/** Share of the units of a day that calls for broadcasts may use before viewers are no longer counted. */
const viewersPart = (1 - parts.read - parts.write) / 2

/** Returns whether viewers may be counted: the other half of the part for broadcasts stays for beginnings, ends and titles. */
export async function mayCountViewers(services: QuotaServices, platform: PlatformType): Promise<boolean> {
  const rows = await listQuota(services.db, { platform, day: dayOf(services.clock.now()) })
  const used = rows.find(({ purpose }) => purpose === 'broadcast')?.units ?? 0
  return used < services.config.youtubeQuota * viewersPart && rows.every(({ gone }) => gone === 0)
}

/** Returns the units of today that no purpose has used; 0 after the platform refused a call because of them. */
export async function countUnitsLeft(services: Reading<QuotaServices>, platform: PlatformType): Promise<number> {
  const rows = await listQuota(services.db, { platform, day: dayOf(services.clock.now()) })
  if (rows.some(({ gone }) => gone === 1)) return 0
  return services.config.youtubeQuota - rows.reduce((sum, { units }) => sum + units, 0)
}

/** Returns the units that a purpose may use, and has used, of the rows of a day. */
function partOf(
  services: Pick<Services, 'config'>,
  rows: Awaited<ReturnType<typeof listQuota>>,
  purpose: QuotaPurpose,
) {
  const own = rows.find((row) => row.purpose === purpose)
  const others = rows.reduce((sum, row) => sum + (row === own ? 0 : row.units), 0)
  const max = Math.min(unitsOf(services, purpose), services.config.youtubeQuota - others)
  return { max, used: own?.units ?? 0, isGone: own?.gone === 1 }
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

/** Returns what is left of YouTube's units today, for each purpose and of how many, and when they are renewed. */
export async function youtubeQuotaLeft(services: QuotaServices) {
  const now = services.clock.now()
  const rows = await listQuota(services.db, { platform: 'youtube', day: dayOf(now) })
  const left = (purpose: QuotaPurpose) => {
    const { max, used, isGone } = partOf(services, rows, purpose)
    return { left: isGone ? 0 : Math.max(0, max - used), of: unitsOf(services, purpose) }
  }
  return { read: left('read'), write: left('write'), until: iso(nextMidnight(now)) }
}

/** One for all calls: its construction takes 50 times as long as a call. */
const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone })

/** Day in the time zone of the quota, `2026-11-22`. */
const dayOf = (at: Date): string => dayFormat.format(at)

/** Returns the next midnight in the time zone of the quota. */
export function nextMidnight(now: Date): Date {
  const today = dayOf(now)
  // Quarters of an hour: time zones and daylight saving change at those.
  const quarter = 15 * 60_000
  let at = Math.ceil((now.getTime() + 1) / quarter) * quarter
  while (dayOf(new Date(at)) === today) at += quarter
  return new Date(at)
}

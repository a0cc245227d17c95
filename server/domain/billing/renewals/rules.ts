// When a renewal is tried, and whether its price may be charged. Pure.
import { iso, later } from '#server/core/clock.ts'

const hour = 3_600_000

/** Times of the tries before the end of the period, milliseconds. The last one leaves time for its answer. */
export const triesBefore = [72 * hour, 48 * hour, 24 * hour, 6 * hour, hour / 4] as const

/** Owners are notified of the price this long before the end: a week before the first try. */
export const noticeBefore = 10 * 24 * hour

/** A higher price is charged if its notice is at least this old. */
const noticeAge = 7 * 24 * hour

/** Returns the time of a try. @param seq number of the try, from 0; null: no further try */
export const tryAt = (end: string, seq: number): string | null => {
  const before = triesBefore[seq]
  return before === undefined ? null : iso(later(new Date(end), -before))
}

/** Returns the number of tries whose time has passed. @example passedTries(end, thirtyHoursBefore) // 2 */
export const passedTries = (end: string, now: string): number =>
  triesBefore.filter((before) => iso(later(new Date(end), -before)) < now).length

/** Facts about a price, minor units. */
export interface PriceFacts {
  readonly price: number
  /** Price of the period that ends. */
  readonly last: number
  /** Price that the owners were notified of; null: no notice. */
  readonly announced: number | null
  readonly announcedAt: string | null
}

/** Returns whether a renewal may be charged: a price above the last one needs a notice that is a week old. */
export const mayCharge = ({ price, last, announced, announcedAt }: PriceFacts, now: string): boolean =>
  price <= last ||
  (announced !== null &&
    announcedAt !== null &&
    price <= announced &&
    announcedAt <= iso(later(new Date(now), -noticeAge)))

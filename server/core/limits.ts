// How often is too often: counters by name and key, a minute at a time. In memory: each replica counts for itself.
import type { Clock } from './clock.ts'
import { RateLimitedError } from './errors.ts'

const windowMs = 60_000
const keysMax = 100_000

/** Counts calls. */
export interface Limits {
  /**
   * Counts one call.
   * @param key what is limited and who is counted, for example `refresh 203.0.113.7`
   * @param perMinute how many are fine; 0 is no limit
   * @throws RateLimitedError with the seconds until the minute ends
   */
  count(key: string, perMinute: number): void
}

/** Counters that forget everything when their minute is over, or when somebody fills the memory with keys. */
export function createLimits(clock: Clock): Limits {
  let counts = new Map<string, number>()
  let began = 0
  return {
    count(key, perMinute) {
      if (perMinute === 0) return
      const now = clock.now().getTime()
      const start = now - (now % windowMs)
      if (start !== began || counts.size > keysMax) counts = new Map()
      began = start
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count > perMinute) throw new RateLimitedError(Math.ceil((start + windowMs - now) / 1000))
    },
  }
}

/** An address as limits count it: a network of IPv6 (/64) belongs to one customer. */
export const networkOf = (address: string): string =>
  address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address

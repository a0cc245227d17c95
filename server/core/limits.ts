// In-memory fixed-window rate limiter: windows of one minute, counted by each replica for itself.
import { isIPv6 } from 'node:net'
import type { Clock } from './clock.ts'
import { RateLimitedError } from './errors.ts'

const windowMs = 60_000
const keysMax = 100_000

/** Rate limiter. */
export interface Limits {
  /**
   * Counts one call.
   * @param key limited action and caller, for example `refresh 203.0.113.7`
   * @param perMinute allowed calls per minute; 0: no limit
   * @throws RateLimitedError with the seconds until the minute ends
   */
  count(key: string, perMinute: number): void
}

/** Counts one call. @returns whether it exceeds the limit */
export function isOverLimit(limits: Limits, key: string, perMinute: number): boolean {
  try {
    limits.count(key, perMinute)
    return false
  } catch (error) {
    if (error instanceof RateLimitedError) return true
    throw error
  }
}

/** Creates a rate limiter. It drops its counters at the end of a window, or when callers fill its memory with keys. */
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

/**
 * Returns the network that limits count: the /64 of an IPv6 address, which belongs to one customer, or the IPv4 address.
 * Normalises the spelling: zones, case, omitted zeros and IPv4-mapped IPv6.
 * @example networkOf('2001:DB8::1') // '2001:db8:0:0'
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return plain
  // WHATWG URLs normalise an IPv6 address: lower case, no leading zeros, no dotted end.
  const [head = '', tail = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const [left, right] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]]
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return groups.slice(0, 6).join(':') === mappedPrefix ? ipv4Of(groups.slice(6)) : groups.slice(0, 4).join(':')
}

/** First groups of an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2). */
const mappedPrefix = '0:0:0:0:0:ffff'

/** @param groups two groups of 16 bits, in hex */
const ipv4Of = (groups: readonly string[]): string =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((bits) => [bits >> 8, bits & 255])
    .join('.')

// In-memory fixed-window rate limiter: windows of one minute. Replicas exchange the counts of guesses over the bus.
import { randomUUID } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Bus } from './bus.ts'
import type { Clock } from './clock.ts'
import { RateLimitedError } from './errors.ts'

const windowMs = 60_000
const keysMax = 100_000
/** Time in which the guesses of a replica are collected into one message, milliseconds. */
const collectMs = 50
const topic = 'guesses'

/** State of a limit. */
interface Window {
  readonly left: number
  readonly seconds: number
}

/** Rate limiter. */
export interface Limits {
  /**
   * Counts one call, in this replica: with n replicas a caller has n times the limit.
   * @param key limited action and caller, for example `refresh 203.0.113.7`
   * @param perMinute allowed calls per minute; 0: no limit
   * @returns the calls that are left, and the seconds until the minute ends; null without a limit
   * @throws RateLimitedError with the seconds until the minute ends
   */
  count(key: string, perMinute: number): Window | null
  /**
   * Counts one try of a key, code or password, in all replicas; in this one only while the bus is down. Writes nothing.
   * @param key as `count`; other replicas receive it, so it contains no secret
   * @throws RateLimitedError as `count`
   */
  countGuess(key: string, perMinute: number): void
}

/** No limits, for `RATE_LIMITS=off`. */
export const noLimits: Limits = { count: () => null, countGuess: () => undefined }

/** Counts one call. @returns whether it exceeds the limit */
export const isOverLimit = (limits: Pick<Limits, 'count'>, key: string, perMinute: number): boolean =>
  isRefused(() => limits.count(key, perMinute))

/** Counts one try of a key, code or password in all replicas. @returns whether it exceeds the limit */
export const isOverGuesses = (limits: Pick<Limits, 'countGuess'>, key: string, perMinute: number): boolean =>
  isRefused(() => limits.countGuess(key, perMinute))

function isRefused(count: () => void): boolean {
  try {
    count()
    return false
  } catch (error) {
    if (error instanceof RateLimitedError) return true
    throw error
  }
}

/** Guesses of a replica since its last message, by key. */
interface Guesses {
  readonly from: string
  readonly counts: Readonly<Record<string, number>>
}

/**
 * Creates a rate limiter. It drops its counters at the end of a window, or when callers fill its memory with keys.
 * @param bus of the replicas; omitted: guesses are counted as other calls
 */
export function createLimits(clock: Clock, bus?: Pick<Bus, 'publish' | 'subscribe'>): Limits {
  const self = randomUUID()
  let counts = new Map<string, number>()
  let began = 0
  let unsent: Record<string, number> | null = null

  /** Adds calls in the running minute. @returns their number in it, and the seconds until it ends */
  function add(key: string, calls: number): { readonly total: number; readonly left: number } {
    const now = clock.now().getTime()
    const start = now - (now % windowMs)
    if (start !== began || counts.size > keysMax) counts = new Map()
    began = start
    const total = (counts.get(key) ?? 0) + calls
    counts.set(key, total)
    return { total, left: Math.ceil((start + windowMs - now) / 1000) }
  }

  function send(key: string): void {
    if (!unsent) setTimeout(flush, collectMs).unref()
    unsent ??= {}
    unsent[key] = (unsent[key] ?? 0) + 1
  }
  function flush(): void {
    bus?.publish(topic, { from: self, counts: unsent ?? {} } satisfies Guesses)
    unsent = null
  }
  bus?.subscribe<Guesses>(topic, ({ from, counts: guesses }) => {
    if (from !== self) for (const [key, calls] of Object.entries(guesses)) add(key, calls)
  })

  function count(key: string, perMinute: number, isShared: boolean): Window | null {
    if (perMinute === 0) return null
    const { total, left } = add(key, 1)
    // The other replicas refuse the key already.
    if (isShared && total <= perMinute) send(key)
    if (total > perMinute) throw new RateLimitedError(left)
    return { left: perMinute - total, seconds: left }
  }
  return {
    count: (key, perMinute) => count(key, perMinute, false),
    countGuess: (key, perMinute) => void count(key, perMinute, true),
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

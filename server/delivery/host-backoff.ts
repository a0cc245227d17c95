// Pauses for hosts of receivers that hang: their messages wait instead of occupying the pool of their channel.
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import type { Clock } from '#server/core/clock.ts'

/** Failures in a row before the first pause: a single timeout is no reason. */
const failuresBefore = 3
const pauses: Backoff = { firstMs: 30_000, mostMs: 600_000 }
/** Time in which one call tests a host after its pause, longer than a call takes; the other calls wait. */
const probeMs = 20_000
const hostsMax = 10_000

/** Failures of hosts, in the memory of this replica. */
export interface HostBackoff {
  /** Returns 0 when a host may be called now, else the time until it may, milliseconds. After a pause one call may at a time. */
  enter(host: string): number
  /** Notes a response in time. */
  answered(host: string): void
  /** Notes a call without a response in time. Calls that began before a pause do not prolong it. */
  failed(host: string): void
}

interface Failing {
  readonly failures: number
  /** End of the pause, milliseconds. */
  readonly until: number
  /** One call tests the host, and the pause is that call's time. */
  readonly isProbed: boolean
}

export function createHostBackoff(clock: Clock): HostBackoff {
  const hosts = new Map<string, Failing>()
  const set = (host: string, failing: Failing) => {
    hosts.delete(host)
    hosts.set(host, failing)
    const oldest = hosts.keys().next()
    if (hosts.size > hostsMax && !oldest.done) hosts.delete(oldest.value)
  }
  return {
    enter(host) {
      const known = hosts.get(host)
      if (!known || known.failures < failuresBefore) return 0
      const now = clock.now().getTime()
      if (known.until > now) return known.until - now
      set(host, { ...known, until: now + probeMs, isProbed: true })
      return 0
    },
    answered: (host) => void hosts.delete(host),
    failed(host) {
      const { failures, until, isProbed } = hosts.get(host) ?? { failures: 0, until: 0, isProbed: false }
      const now = clock.now().getTime()
      if (until > now && !isProbed) return
      const pause = failures + 1 < failuresBefore ? 0 : backoffMs(pauses, failures + 2 - failuresBefore)
      set(host, { failures: failures + 1, until: now + pause, isProbed: false })
    },
  }
}

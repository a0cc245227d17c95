// The lease of the refresh token: claims it in the ledger, and writes the result of a call unless it was lost.
import { sleep } from './coordinator.ts'
import type { Holder } from './holder.ts'
import { pauseLeft, tombstone } from './record.ts'
import type { CallsDeps } from './refresh-call.ts'
import type { Lease, Lock, Pause, TokenPair, TokenRecord, TokenStore, Update } from './types.ts'

/** Result of an attempt. `discarded`: a pair that the server issued for a session which had ended meanwhile. */
export type Attempt =
  | { outcome: 'rotated'; record: TokenRecord; error?: unknown }
  | { outcome: 'adopted'; record: TokenRecord }
  | { outcome: 'superseded'; record: TokenRecord | null; discarded?: TokenPair }
  /** `record`: the tombstone, or the refused record whose access token is still valid. */
  | { outcome: 'rejected'; record: TokenRecord }
  /** `late`: the effect of a response that arrives after the attempt. */
  | { outcome: 'unavailable'; pause: Pause; late?: Promise<Attempt> }

export interface AttemptOptions {
  /** The record in use by this tab. */
  readonly held: TokenRecord
  readonly lock: Lock
  /** A wake signal or the user's retry: ends a pause that this tab already knew, unless the server requested it. */
  readonly force: boolean
  /** A request waits: ends a pause after a network failure within `demandMs`. */
  readonly asked: boolean
}

/** Next step of an attempt. `wait`: ms until the next claim. */
export type Step = { go: TokenRecord } | { wait: number } | { end: Attempt }

export interface RefresherDeps extends CallsDeps {
  readonly store: TokenStore
  readonly holder: Holder
  readonly owner: string
  readonly random: () => number
  /** Resolves at the next message of another tab or wake signal. */
  readonly news: () => Promise<void>
}

/** Returns whether a pause follows from failures without any response. */
export const isNetworkPause = (pause?: Pause): boolean => pause?.cause === 'offline' || pause?.cause === 'network'

/** The record without its lease. */
export const without = ({ lease: _, ...record }: TokenRecord): TokenRecord => record

/** A delay with a random part, ms: tabs do not act at the same moment. */
export const jitter = (random: () => number, ms: number): number => ms * (0.7 + random() * 0.6)

/** Makes the lease of one attempt. */
export function createLease(deps: RefresherDeps, options: AttemptOptions) {
  const { clock, timing, store, holder, owner, random } = deps
  const { held, lock } = options

  const isCurrent = () => holder.isOf(held.sessionId)
  const isSame = (record: TokenRecord | null): record is TokenRecord =>
    !!record?.pair && record.sessionId === held.sessionId
  /** The access token is still valid. */
  const isProactive = () => holder.rejected !== held.generation
  const leftOf = (lease?: Lease) => (lease?.until ?? 0) - clock.now()
  const foreignLease = ({ lease }: TokenRecord) => {
    const left = leftOf(lease)
    // A lease too far in the future was written before the clock was set back.
    const isLive = lease && lease.owner !== owner && left > 0 && left <= timing.leaseMs * 2
    return isLive && !(lock.held && lease.locked) ? lease : undefined
  }
  const moved = (record: TokenRecord | null): Step => ({
    end: isSame(record) ? { outcome: 'adopted', record } : { outcome: 'superseded', record },
  })

  /** Result of a pause; undefined without one. */
  function pauseOf({ pause }: TokenRecord): Step | undefined {
    if (!pause || pauseLeft(pause, clock.now()) === 0) return undefined
    if (options.force && !pause.byServer && pause.failures === (held.pause?.failures ?? 0)) return undefined
    if (!options.asked || !isNetworkPause(pause)) return { end: { outcome: 'unavailable', pause } }
    const wait = pause.since + timing.demandMs - clock.now()
    return wait > 0 ? { wait } : undefined
  }

  /** Reads the ledger, and takes the lease when this tab is to call. */
  async function claim(isFirst: boolean): Promise<Step> {
    let step: Step = { go: held }
    const update: Update = (current) => {
      const record = holder.truth(current)
      const now = clock.now()
      const paused = isFirst && record ? pauseOf(record) : undefined
      if (!isCurrent()) step = { end: { outcome: 'superseded', record: null } }
      else if (!isSame(record) || record.generation > held.generation) step = moved(record)
      else if (foreignLease(record)) step = { wait: leftOf(foreignLease(record)) }
      else if (record.refused) {
        const over = isProactive() ? record : tombstone(record, 'expired', now)
        step = { end: { outcome: 'rejected', record: over } }
        return over === record ? undefined : over
      } else if (paused) step = paused
      else {
        const lease = { owner, until: now + timing.leaseMs, locked: lock.held }
        step = { go: { ...record, lease } }
        return step.go
      }
      return undefined
    }
    try {
      const isWon = await store.compareAndSet(update)
      return 'go' in step && !isWon ? { wait: 0 } : step
    } catch {
      return 'go' in step ? withoutLedger() : step
    }
  }

  /** Requests a newer pair from the other tabs, and calls when none has one. */
  async function withoutLedger(): Promise<Step> {
    holder.announce(held, false)
    await sleep(clock, jitter(random, timing.pollMs))
    const { record } = holder
    return isSame(record) && record.generation === held.generation ? { go: without(record) } : moved(record)
  }

  /** The tab was frozen after taking the lease, or lost the lock: another tab may have renewed the pair since. */
  const hasLost = ({ lease }: TokenRecord) =>
    lease !== undefined && (lease.locked !== lock.held || leftOf(lease) < timing.leaseMs / 2)

  /**
   * Writes the result for `sent`, if the ledger still holds the token that was sent. The owner of the lease does not
   * matter: a tab that took it over is better off with this result than with a second use of the token.
   */
  async function conclude(sent: TokenRecord, next: (record: TokenRecord) => TokenRecord | undefined): Promise<Step> {
    for (;;) {
      let seen: TokenRecord | null = null
      let written: TokenRecord | undefined
      const isStored = await store.compareAndSet((current) => {
        written = undefined
        seen = holder.truth(current)
        if (isCurrent() && isSame(seen) && seen.pair?.refreshToken === sent.pair?.refreshToken) written = next(seen)
        return written
      })
      if (written && isStored) return { go: written }
      if (!isCurrent()) return { end: { outcome: 'superseded', record: null } }
      if (isSame(seen) && (seen as TokenRecord).generation === sent.generation) {
        // Refused by `next` because another tab is calling, or overtaken while writing.
        const other = foreignLease(seen)
        if (!written && other) return { wait: leftOf(other) }
      } else return moved(seen)
    }
  }

  return { isCurrent, isProactive, foreignLease, claim, hasLost, conclude }
}

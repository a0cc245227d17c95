// One attempt to renew the pair: who may call, the calls, and what their answer does to the ledger.
import { sleep } from './coordinator.ts'
import { freshRecord, tombstone } from './record.ts'
import { callRefresh, type Wire } from './refresh-call.ts'
import type { DegradedCause, Lease, TokenPair, TokenRecord, TokenStore, Update } from './types.ts'

/** What an attempt came to. `discarded`: a pair that the server gave to a session which had ended meanwhile. */
export type Attempt =
  | { outcome: 'rotated'; record: TokenRecord; error?: unknown }
  | { outcome: 'adopted'; record: TokenRecord }
  | { outcome: 'superseded'; record: TokenRecord | null; discarded?: TokenPair }
  /** `record`: the tombstone, or the refused record whose access token may still be used. */
  | { outcome: 'rejected'; record: TokenRecord }
  | { outcome: 'unavailable'; cause: DegradedCause; retryAt: number; failures: number; byServer: boolean }

export interface AttemptOptions {
  /** The record this tab works with. */
  readonly held: TokenRecord
  /** The held record is not in the ledger: where they differ, it is the newer one. */
  readonly unsaved: boolean
  /** The access token is still good. */
  readonly proactive: boolean
  /** Do not wait for the end of a pause that this tab already knew and no server asked for. */
  readonly force: boolean
  /** This tab holds the lock. */
  readonly locked: boolean
  /** Whether this tab still works with the session of `held`. */
  readonly isCurrent: () => boolean
  readonly isOnline: () => boolean
  /** Resolves when another tab says something. */
  readonly news: () => Promise<void>
}

type Step = { go: TokenRecord } | { wait: number } | { end: Attempt }

export interface RefresherDeps extends Wire {
  readonly store: TokenStore
  readonly owner: string
  readonly random: () => number
}

/** Runs one attempt to its end: one or more calls with the same token, or none when another tab did it. */
export async function attempt(deps: RefresherDeps, options: AttemptOptions): Promise<Attempt> {
  const { clock, timing, store, owner, random } = deps
  const { held, isCurrent } = options

  const jitter = (ms: number) => ms * (0.7 + random() * 0.6)
  const isSame = (record: TokenRecord | null): record is TokenRecord =>
    !!record?.pair && record.sessionId === held.sessionId
  /** The truth: the ledger, unless this tab knows better. */
  const truth = (current: TokenRecord | null) =>
    options.unsaved &&
    (!current ||
      (current.sessionId === held.sessionId
        ? current.pair && current.generation < held.generation
        : current.obtainedAt < held.obtainedAt))
      ? held
      : current
  const leftOf = (lease?: Lease) => (lease?.until ?? 0) - clock.now()
  const foreignLease = ({ lease }: TokenRecord) => {
    const left = leftOf(lease)
    // A lease that reaches too far was written under another time of day.
    const isLive = lease && lease.owner !== owner && left > 0 && left <= timing.leaseMs * 2
    return isLive && !(options.locked && lease.locked) ? lease : undefined
  }
  const moved = (record: TokenRecord | null): Step => ({
    end: isSame(record) ? { outcome: 'adopted', record } : { outcome: 'superseded', record },
  })
  const without = ({ lease: _, ...record }: TokenRecord): TokenRecord => record

  /** Asks the ledger, and takes the lease when it is ours to call. */
  async function claim(isFirst: boolean): Promise<Step> {
    let step: Step = { go: held }
    const update: Update = (current) => {
      const record = truth(current)
      const now = clock.now()
      const { notBefore = 0, failures = 0, pausedByServer: byServer = false } = record ?? {}
      if (!isCurrent()) step = { end: { outcome: 'superseded', record: null } }
      else if (!isSame(record) || record.generation > held.generation) step = moved(record)
      else if (foreignLease(record)) step = { wait: leftOf(foreignLease(record)) }
      else if (record.refused) {
        const over = options.proactive ? record : tombstone(record, 'expired', now)
        step = { end: { outcome: 'rejected', record: over } }
        return options.proactive ? undefined : over
      } else if (
        isFirst &&
        notBefore > now &&
        notBefore - now <= timing.retryAfterCapMs &&
        !(options.force && !byServer && failures === (held.failures ?? 0))
      )
        step = { end: { outcome: 'unavailable', cause: 'server', retryAt: notBefore, failures, byServer } }
      else {
        step = { go: record }
        return { ...record, lease: { owner, until: now + timing.leaseMs, locked: options.locked } }
      }
      return undefined
    }
    try {
      const isWon = await store.compareAndSet(update)
      return 'go' in step && !isWon ? { wait: 0 } : step
    } catch {
      // Without a ledger this tab is on its own.
      return step
    }
  }

  /**
   * Writes what became of `sent`, if the ledger still holds the token that was sent. Who holds the lease by now does
   * not matter: a tab that took it over meanwhile is better off with this answer than with a second use of the token.
   */
  async function conclude(sent: TokenRecord, next: (record: TokenRecord) => TokenRecord | undefined): Promise<Step> {
    for (;;) {
      let seen: TokenRecord | null = null
      let written: TokenRecord | undefined
      const isStored = await store.compareAndSet((current) => {
        written = undefined
        seen = truth(current)
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

  async function rotated(sent: TokenRecord, pair: TokenPair): Promise<Attempt> {
    const next = freshRecord(sent, pair, clock.now())
    try {
      const step = await conclude(sent, () => next)
      if ('end' in step) {
        return step.end.outcome === 'superseded' ? { ...step.end, discarded: pair } : step.end
      }
      return { outcome: 'rotated', record: next }
    } catch (error) {
      return isCurrent()
        ? { outcome: 'rotated', record: next, error }
        : { outcome: 'superseded', record: null, discarded: pair }
    }
  }

  async function rejected(sent: TokenRecord): Promise<Step> {
    const over = options.proactive ? { ...without(sent), refused: true } : tombstone(sent, 'expired', clock.now())
    // Another tab may be about to store the successor of the very token that was refused to us.
    const step = await conclude(sent, (record) => (foreignLease(record) ? undefined : over)).catch(() => null)
    return step && !('go' in step) ? step : { end: { outcome: 'rejected', record: over } }
  }

  for (let calls = 0, sent = held; ;) {
    const step: Step = await claim(calls === 0)
    if ('end' in step) return step.end
    if ('wait' in step) {
      const ms = Math.min(step.wait, jitter(timing.pollMs))
      await Promise.race([options.news(), sleep(clock, ms)])
      continue
    }
    sent = step.go
    const verdict = await callRefresh(deps, sent, options.isOnline)
    if (verdict.kind === 'rotated') return rotated(sent, verdict.pair)
    if (verdict.kind === 'rejected') {
      const result = await rejected(sent)
      if ('end' in result) return result.end
      continue
    }
    const again = timing.quickRetriesMs[calls++]
    if (again !== undefined && verdict.quick && !sent.failures && isCurrent()) {
      await sleep(clock, jitter(again))
      continue
    }
    const failures = (sent.failures ?? 0) + 1
    const [first, longest] = timing.backoffMs
    const byServer = verdict.pauseMs !== null
    const notBefore = clock.now() + (verdict.pauseMs ?? jitter(Math.min(first * 2 ** (failures - 1), longest)))
    const paused = await conclude(sent, (record) => ({
      ...without(record),
      failures,
      notBefore,
      pausedByServer: byServer,
    })).catch(() => null)
    if (paused && 'end' in paused) return paused.end
    return { outcome: 'unavailable', cause: verdict.cause, retryAt: notBefore, failures, byServer }
  }
}

// One attempt to renew the pair: the lease, the calls, and the effect of their responses on the ledger.
import { sleep, within } from './coordinator.ts'
import type { Holder } from './holder.ts'
import { freshRecord, pauseLeft, tombstone } from './record.ts'
import { type CallsDeps, createCalls } from './refresh-call.ts'
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

type Step = { go: TokenRecord } | { wait: number } | { end: Attempt }

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

/** Runs one attempt to its end: one or more calls with the same token, or none when another tab renewed the pair. */
export async function attempt(deps: RefresherDeps, options: AttemptOptions): Promise<Attempt> {
  const { clock, timing, store, holder, owner, random } = deps
  const { held, lock } = options
  const calls = createCalls(deps)

  const jitter = (ms: number) => ms * (0.7 + random() * 0.6)
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
  const without = ({ lease: _, ...record }: TokenRecord): TokenRecord => record

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
    await sleep(clock, jitter(timing.pollMs))
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

  async function rotated(sent: TokenRecord, pair: TokenPair): Promise<Attempt> {
    calls.close()
    const next = freshRecord(sent, pair, clock.now())
    try {
      const step = await conclude(sent, () => next)
      if (!('end' in step)) return { outcome: 'rotated', record: next }
      return step.end.outcome === 'superseded' ? { ...step.end, discarded: pair } : step.end
    } catch (error) {
      const { record } = holder
      if (!isCurrent() || !record) return { outcome: 'superseded', record: null, discarded: pair }
      return record.generation > sent.generation
        ? { outcome: 'adopted', record }
        : { outcome: 'rotated', record: next, error }
    }
  }

  async function rejected(sent: TokenRecord): Promise<Step> {
    const over = isProactive() ? { ...without(sent), refused: true } : tombstone(sent, 'expired', clock.now())
    // Another tab may be about to store the successor of the token that was refused here.
    const step = await conclude(sent, (record) => (foreignLease(record) ? undefined : over)).catch(() => null)
    return step && !('go' in step) ? step : { end: { outcome: 'rejected', record: over } }
  }

  for (let count = 0, sent = held; ;) {
    const step: Step = await claim(count === 0)
    const found = calls.found()
    if ('end' in step) {
      calls.close()
      return step.end
    }
    if (found) return rotated(sent, found)
    if ('wait' in step) {
      await Promise.race([deps.news(), sleep(clock, Math.min(step.wait, jitter(timing.pollMs)))])
      continue
    }
    sent = step.go
    if (hasLost(sent)) continue
    const verdict = await calls.send(sent)
    if (verdict.kind === 'rotated') return rotated(sent, verdict.pair)
    if (verdict.kind === 'rejected') {
      // An earlier call may still bring the successor.
      await within(clock, timing.timeoutMs, Promise.race([calls.pair, calls.settled()]))
      const late = calls.found()
      if (late) return rotated(sent, late)
      const result = await rejected(sent)
      if ('end' in result) return result.end
      continue
    }
    const again = timing.quickRetriesMs[count++]
    if (again !== undefined && verdict.quick && !sent.pause && isCurrent()) {
      await Promise.race([sleep(clock, jitter(again)), deps.news(), calls.pair])
      continue
    }
    const failures = (sent.pause?.failures ?? 0) + 1
    const [first, longest] = timing.backoffMs
    const since = clock.now()
    const until = since + (verdict.pauseMs ?? jitter(Math.min(first * 2 ** (failures - 1), longest)))
    const pause = { failures, since, until, cause: verdict.cause, byServer: verdict.pauseMs !== null }
    const paused = await conclude(sent, (record) => ({ ...without(record), pause })).catch(() => null)
    if (paused && 'end' in paused) return paused.end
    const late = calls.pair.then((pair) => rotated(sent, pair))
    return { outcome: 'unavailable', pause, late }
  }
}

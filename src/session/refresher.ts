// One attempt to renew the pair: the calls, and the effect of their responses on the ledger.
import { doubledMs } from '#contract/core/backoff.ts'
import { sleep, within } from './coordinator.ts'
import {
  type Attempt,
  type AttemptOptions,
  createLease,
  jitter,
  type RefresherDeps,
  type Step,
  without,
} from './lease.ts'
import { freshRecord, tombstone } from './record.ts'
import { createCalls } from './refresh-call.ts'
import type { TokenPair, TokenRecord } from './types.ts'

/** Runs one attempt to its end: one or more calls with the same token, or none when another tab renewed the pair. */
export async function attempt(deps: RefresherDeps, options: AttemptOptions): Promise<Attempt> {
  const { clock, timing, holder, random } = deps
  const { held } = options
  const calls = createCalls(deps)
  const { isCurrent, isProactive, foreignLease, claim, hasLost, conclude } = createLease(deps, options)

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
      await Promise.race([deps.news(), sleep(clock, Math.min(step.wait, jitter(random, timing.pollMs)))])
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
      await Promise.race([sleep(clock, jitter(random, again)), deps.news(), calls.pair])
      continue
    }
    const failures = (sent.pause?.failures ?? 0) + 1
    const since = clock.now()
    const until = since + (verdict.pauseMs ?? jitter(random, doubledMs(timing.backoff, failures)))
    const pause = { failures, since, until, cause: verdict.cause, byServer: verdict.pauseMs !== null }
    const paused = await conclude(sent, (record) => ({ ...without(record), pause })).catch(() => null)
    if (paused && 'end' in paused) return paused.end
    const late = calls.pair.then((pair) => rotated(sent, pair))
    return { outcome: 'unavailable', pause, late }
  }
}

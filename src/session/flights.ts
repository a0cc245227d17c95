// When the pair is renewed, and who waits for it: one flight per session at a time in this tab.
import { flush, type Holder } from './holder.ts'
import { attempt, type Attempt, type RefresherDeps } from './refresher.ts'
import { type createState } from './state.ts'
import type { Coordinator, RefreshOutcome, TokenPair, TokenRecord } from './types.ts'
import { jwtLifetimeMs } from './wire.ts'

/** A refresh under way. */
export interface Flight {
  readonly sessionId: string
  readonly done: Promise<void>
  outcome?: RefreshOutcome
  /** A pair that came too late: its session had ended. */
  discarded?: TokenPair | undefined
}

export interface FlightDeps extends RefresherDeps {
  readonly state: ReturnType<typeof createState>
  readonly holder: Holder
  readonly tabs: Coordinator
  /** The end of a session that is being written. */
  readonly ending: () => Promise<unknown> | undefined
}

const longestTimer = 2 ** 31 - 1

/** Starts, joins and plans refreshes. */
export function createFlights(deps: FlightDeps) {
  const { state, holder, tabs, clock, timing, random } = deps
  /** New pairs since an operation last accepted one. */
  let rotations = 0
  let breakerUntil = 0
  let timer: unknown
  const waiters = new Set<() => void>()
  const news = new Set<() => void>()

  function settle(held: TokenRecord, flight: Flight, result: Attempt) {
    if (self.current === flight) self.current = undefined
    flight.outcome = result.outcome
    if (result.outcome === 'superseded') flight.discarded = result.discarded
    const { record } = holder
    if (!record || !holder.isOf(held.sessionId)) flight.outcome = 'superseded'
    else if (result.outcome === 'rotated') {
      holder.unsaved = !!result.error
      holder.persisted(result.error)
      if (++rotations >= timing.breakerRotations) breakerUntil = clock.now() + timing.breakerMs
      holder.use(result.record)
      holder.announce(result.record, holder.unsaved)
    } else if (result.outcome === 'rejected') {
      if (result.record.pair) holder.use(result.record)
      else holder.end('expired')
      holder.announce(result.record, false)
    } else if (result.outcome === 'unavailable') {
      const { cause, retryAt, failures, byServer } = result
      holder.record = { ...record, failures, notBefore: retryAt, pausedByServer: byServer }
      if (holder.rejected === record.generation) {
        state.set({ status: 'degraded', retryAt })
        state.emit({ type: 'degraded', cause, retryAt })
      }
    } else holder.apply(result.record)
    if (state.get().status === 'refreshing') state.set({ status: 'authenticated', retryAt: null })
    self.plan()
    self.hear()
    flush(waiters)
  }

  const self = {
    current: undefined as Flight | undefined,
    isOpen: () => clock.now() < breakerUntil,

    /** An operation accepted the token. */
    confirm() {
      rotations = breakerUntil = holder.rejected = 0
      if (state.get().status === 'degraded') {
        state.set({ status: 'authenticated', retryAt: null })
        self.plan()
      }
    },

    /** Another tab said something: whoever waits for its refresh looks again. */
    hear: () => flush(news),

    /** The session changed or ended: nobody waits for its refresh any more. */
    dismiss: () => flush(waiters),

    /** Starts an attempt, or joins the one under way. */
    start(options: { proactive?: boolean; force?: boolean } = {}): Flight | undefined {
      const held = holder.record
      if (!held || holder.isDisposed || self.current?.sessionId === held.sessionId) return self.current
      clock.clearTimeout(timer)
      const isCurrent = () => holder.isOf(held.sessionId)
      const run = async (locked: boolean) => {
        const result = await attempt(deps, {
          held: isCurrent() && holder.record?.generation === held.generation ? holder.record : held,
          unsaved: holder.unsaved,
          locked,
          proactive: !!options.proactive && holder.rejected !== held.generation,
          force: !!options.force,
          isCurrent,
          isOnline: tabs.isOnline,
          news: () => new Promise<void>((resolve) => void news.add(resolve)),
        })
        // Listeners hear of it when the lock is free again.
        state.hold()
        settle(held, flight, result)
        // Signed out meanwhile: nobody else may take the lock and the token just used before the end is written.
        await deps.ending()
      }
      const flight: Flight = {
        sessionId: held.sessionId,
        done: tabs.exclusive(held.sessionId, timing.lockWaitMs, run).finally(state.release),
      }
      self.current = flight
      state.set({ status: 'refreshing' })
      return flight
    },

    /** Waits for the end of a refresh, of the session, or of patience. */
    wait: (signal?: AbortSignal | null) =>
      new Promise<void>((resolve, reject) => {
        const leave = (then: () => void) => () => {
          waiters.delete(done)
          clock.clearTimeout(limit)
          signal?.removeEventListener('abort', abort)
          then()
        }
        const done = leave(resolve)
        const abort = leave(() => reject(signal?.reason))
        const limit = clock.setTimeout(done, timing.waiterMs)
        waiters.add(done)
        signal?.addEventListener('abort', abort)
        if (signal?.aborted) abort()
      }),

    /** Sets the one timer: the next try while degraded, or the renewal ahead of time when the lifetime is known. */
    plan() {
      clock.clearTimeout(timer)
      const { record } = holder
      if (!record?.pair || holder.isDisposed || self.current) return
      const { retryAt } = state.get()
      const lifetime = jwtLifetimeMs(record.pair.accessToken)
      const now = clock.now()
      const isAhead = retryAt === null
      // A clock that went back says nothing about the age.
      if (isAhead && (!lifetime || record.refused || now < record.obtainedAt)) return
      const due = isAhead
        ? Math.max(record.obtainedAt + (lifetime ?? 0) * (0.75 + random() * 0.1), record.notBefore ?? 0)
        : retryAt
      const act = () => {
        if (clock.now() < due) self.plan()
        else if (!isAhead || tabs.isVisible()) self.start({ proactive: isAhead })
      }
      timer = clock.setTimeout(act, Math.min(Math.max(due - now, 0), longestTimer))
    },

    stop: () => clock.clearTimeout(timer),
  }
  return self
}

// Schedules refreshes and the requests that wait for them: one refresh per session at a time in this tab.
import { flush } from './holder.ts'
import { pauseLeft } from './record.ts'
import { attempt, type Attempt, type AttemptOptions, isNetworkPause, type RefresherDeps } from './refresher.ts'
import { type createState } from './state.ts'
import type { Coordinator, Lock, RefreshOutcome, TokenPair, TokenRecord } from './types.ts'
import { jwtLifetimeMs } from './wire.ts'

/** A refresh in flight. */
export interface Flight {
  readonly sessionId: string
  readonly done: Promise<void>
  outcome?: RefreshOutcome
  /** A late pair: its session had ended. */
  discarded?: TokenPair | undefined
}

export interface FlightDeps extends Omit<RefresherDeps, 'news' | 'onOnline' | 'isOnline'> {
  readonly state: ReturnType<typeof createState>
  readonly tabs: Coordinator
  /** The pending write of a session's end. */
  readonly ending: () => Promise<unknown> | undefined
}

const longestTimer = 2 ** 31 - 1

/** Starts, joins and plans refreshes. */
export function createFlights(deps: FlightDeps) {
  const { state, holder, tabs, clock, timing, random } = deps
  /** Tokens refused since an operation last accepted one. */
  let refusals = 0
  let lastRefused = ''
  /** By the monotonic clock. */
  let breakerUntil = 0
  let timer: unknown
  const waiters = new Set<() => void>()
  const news = new Set<() => void>()
  const online = new Set<() => void>()
  const refresher: RefresherDeps = {
    ...deps,
    isOnline: tabs.isOnline,
    news: () => new Promise<void>((resolve) => void news.add(resolve)),
    onOnline(run) {
      online.add(run)
      return () => void online.delete(run)
    },
  }

  function settle({ sessionId }: TokenRecord, flight: Flight, result: Attempt) {
    if (self.current === flight) self.current = undefined
    flight.outcome = result.outcome
    if (result.outcome === 'superseded') flight.discarded = result.discarded
    const { record } = holder
    if (!record || !holder.isOf(sessionId)) flight.outcome = 'superseded'
    else if (result.outcome === 'rotated') {
      holder.unsaved = !!result.error
      holder.persisted(result.error)
      holder.use(result.record)
      holder.announce(result.record, holder.unsaved)
    } else if (result.outcome === 'rejected') {
      if (result.record.pair) holder.use(result.record)
      else holder.end('expired')
      holder.announce(result.record, false)
    } else if (result.outcome === 'unavailable') {
      const { pause, late } = result
      const { cause, until: retryAt } = pause
      holder.record = { ...record, pause }
      if (holder.rejected === record.generation) {
        state.set({ status: 'degraded', retryAt })
        state.emit({ type: 'degraded', cause, retryAt })
      }
      void late?.then((later) => {
        if (!holder.isDisposed) settle(record, flight, later)
      })
    } else holder.apply(result.record)
    if (state.get().status === 'refreshing') state.set({ status: 'authenticated', retryAt: null })
    self.plan()
    self.hear()
    flush(waiters)
  }

  /** A timer without an upper limit, on the monotonic clock, so that a change of the wall clock does not move it. */
  function countDown(ms: number, act: () => void) {
    const rest = ms - longestTimer
    timer = clock.setTimeout(() => (rest > 0 ? countDown(rest, act) : act()), Math.min(ms, longestTimer))
  }

  const self = {
    current: undefined as Flight | undefined,
    isOpen: () => clock.elapsed() < breakerUntil,

    /** Returns whether an attempt for a request would end without a call. */
    isPaused() {
      const pause = holder.record?.pause
      return pauseLeft(pause, clock.now()) > 0 && !(isNetworkPause(pause) && tabs.isOnline())
    },

    /** An operation accepted the token. */
    confirm() {
      refusals = breakerUntil = holder.rejected = 0
      if (state.get().status === 'degraded') {
        state.set({ status: 'authenticated', retryAt: null })
        self.plan()
      }
    },

    /** An operation refused this token. Opens the breaker when new tokens do not help. */
    refuse({ sessionId, generation }: TokenRecord) {
      const token = `${sessionId} ${generation}`
      if (token !== lastRefused && ++refusals > timing.breakerRefusals)
        breakerUntil = clock.elapsed() + timing.breakerMs
      lastRefused = token
    },

    /** Another tab sent a message, or this one woke up: a waiting attempt checks again. */
    hear: () => flush(news),

    /** The network is back: an attempt does not wait for earlier calls. */
    reconnect() {
      for (const run of online) run()
    },

    /** The session changed or ended: requests stop waiting for its refresh. */
    dismiss: () => flush(waiters),

    /** Starts an attempt, or joins the one in flight. Options: see `AttemptOptions`. */
    start({ force = false, asked = false }: Partial<Pick<AttemptOptions, 'force' | 'asked'>> = {}) {
      const held = holder.record
      if (!held || holder.isDisposed || self.current?.sessionId === held.sessionId) return self.current
      clock.clearTimeout(timer)
      const run = async (lock: Lock) => {
        const { record } = holder
        const isSame = record?.sessionId === held.sessionId && record.generation === held.generation
        const result = await attempt(refresher, { held: isSame ? record : held, lock, force, asked })
        // Listeners are notified after the lock is released.
        state.hold()
        settle(held, flight, result)
        // Signed out meanwhile: no other tab may take the lock and the token just used before the end is written.
        await deps.ending()
      }
      const flight: Flight = {
        sessionId: held.sessionId,
        done: tabs.exclusive(held.sessionId, timing.lockWaitMs, run).finally(state.release),
      }
      self.current = flight
      // Requests retry repeatedly while the network is down: the visible state stays.
      if (!(asked && state.get().status === 'degraded')) state.set({ status: 'refreshing' })
      return flight
    },

    /** Waits for the end of a refresh or of the session, or for the timeout. */
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

    /** Sets the single timer: the next retry while degraded, or the early renewal when the lifetime is known. */
    plan() {
      clock.clearTimeout(timer)
      const { record } = holder
      if (!record?.pair || holder.isDisposed || self.current) return
      const { retryAt } = state.get()
      const lifetime = jwtLifetimeMs(record.pair.accessToken)
      const now = clock.now()
      if (retryAt !== null) return countDown(Math.min(Math.max(retryAt - now, 0), timing.retryAfterCapMs), self.start)
      // After the clock was set back the age is unknown.
      if (!lifetime || record.refused || now < record.obtainedAt) return
      const due = record.obtainedAt + lifetime * (0.75 + random() * 0.1)
      countDown(Math.max(due - now, pauseLeft(record.pause, now)), () => {
        if (tabs.isVisible()) self.start()
      })
    },

    stop: () => clock.clearTimeout(timer),
  }
  return self
}

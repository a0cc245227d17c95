// Schedules refreshes and the requests that wait for them: one refresh per session at a time in this tab.
import { flush, type Holder } from './holder.ts'
import { pauseLeft } from './record.ts'
import { attempt } from './refresher.ts'
import { type Attempt, type AttemptOptions, isNetworkPause, type RefresherDeps } from './lease.ts'
import { type createState } from './state.ts'
import type { Clock, Coordinator, Lock, RefreshOutcome, RefreshTiming, TokenPair, TokenRecord } from './types.ts'
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

/** One timer without an upper limit, on the monotonic clock, so that a change of the wall clock does not move it. */
function createTimer(clock: Clock) {
  let timer: unknown
  function start(ms: number, act: () => void) {
    const rest = ms - longestTimer
    timer = clock.setTimeout(() => (rest > 0 ? start(rest, act) : act()), Math.min(ms, longestTimer))
  }
  return { start, clear: () => clock.clearTimeout(timer) }
}

/** Requests that wait for the end of a refresh. */
function createWaiters(clock: Clock, waiterMs: number) {
  const waiters = new Set<() => void>()
  const wait = (signal?: AbortSignal | null) =>
    new Promise<void>((resolve, reject) => {
      const leave = (then: () => void) => () => {
        waiters.delete(done)
        clock.clearTimeout(limit)
        signal?.removeEventListener('abort', abort)
        then()
      }
      const done = leave(resolve)
      const abort = leave(() => reject(signal?.reason))
      const limit = clock.setTimeout(done, waiterMs)
      waiters.add(done)
      signal?.addEventListener('abort', abort)
      if (signal?.aborted) abort()
    })
  return { wait, dismiss: () => flush(waiters) }
}

/** Ends refreshes for a time when new tokens do not help. */
function createBreaker(clock: Clock, timing: RefreshTiming) {
  /** Tokens refused since an operation last accepted one. */
  let refusals = 0
  let lastRefused = ''
  /** By the monotonic clock. */
  let until = 0
  return {
    isOpen: () => clock.elapsed() < until,
    close() {
      refusals = until = 0
    },
    refuse({ sessionId, generation }: TokenRecord) {
      const token = `${sessionId} ${generation}`
      if (token !== lastRefused && ++refusals > timing.breakerRefusals) until = clock.elapsed() + timing.breakerMs
      lastRefused = token
    },
  }
}

/** Applies the final response of the server to this tab, and notifies the others. */
function publish(holder: Holder, result: Extract<Attempt, { outcome: 'rotated' | 'rejected' }>) {
  const { record } = result
  if (result.outcome === 'rotated') {
    holder.unsaved = !!result.error
    holder.persisted(result.error)
    holder.use(record)
    holder.announce(record, holder.unsaved)
    return
  }
  if (record.pair) holder.use(record)
  else holder.end('expired')
  holder.announce(record, false)
}

/** Starts, joins and plans refreshes. */
export function createFlights(deps: FlightDeps) {
  const { state, holder, tabs, clock, timing, random } = deps
  const breaker = createBreaker(clock, timing)
  const timer = createTimer(clock)
  const waiters = createWaiters(clock, timing.waiterMs)
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
    else if (result.outcome === 'rotated' || result.outcome === 'rejected') publish(holder, result)
    else if (result.outcome === 'unavailable') {
      const { pause, late } = result
      const { cause, until: retryAt, byServer: isRetryHeld } = pause
      holder.record = { ...record, pause }
      if (holder.rejected === record.generation) {
        state.set({ status: 'degraded', retryAt, isRetryHeld })
        state.emit({ type: 'degraded', cause, retryAt })
      }
      void late?.then((later) => {
        if (!holder.isDisposed) settle(record, flight, later)
      })
    } else holder.apply(result.record)
    if (state.get().status === 'refreshing') state.set({ status: 'authenticated', retryAt: null })
    self.plan()
    self.hear()
    waiters.dismiss()
  }

  const self = {
    current: undefined as Flight | undefined,
    isOpen: breaker.isOpen,

    /** Returns whether an attempt for a request would end without a call. */
    isPaused() {
      const pause = holder.record?.pause
      return pauseLeft(pause, clock.now()) > 0 && !(isNetworkPause(pause) && tabs.isOnline())
    },

    /** An operation accepted the token. */
    confirm() {
      breaker.close()
      holder.rejected = 0
      if (state.get().status === 'degraded') {
        state.set({ status: 'authenticated', retryAt: null })
        self.plan()
      }
    },

    /** An operation refused this token. Opens the breaker when new tokens do not help. */
    refuse: breaker.refuse,

    /** Another tab sent a message, or this one woke up: a waiting attempt checks again. */
    hear: () => flush(news),

    /** The network is back: an attempt does not wait for earlier calls. */
    reconnect() {
      for (const run of online) run()
    },

    /** The session changed or ended: requests stop waiting for its refresh. */
    dismiss: waiters.dismiss,

    /** Starts an attempt, or joins the one in flight. Options: see `AttemptOptions`. */
    start({ force = false, asked = false }: Partial<Pick<AttemptOptions, 'force' | 'asked'>> = {}) {
      const held = holder.record
      if (!held || holder.isDisposed || self.current?.sessionId === held.sessionId) return self.current
      timer.clear()
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
    wait: waiters.wait,

    /** Sets the single timer: the next retry while degraded, or the early renewal when the lifetime is known. */
    plan() {
      timer.clear()
      const { record } = holder
      if (!record?.pair || holder.isDisposed || self.current) return
      const { retryAt } = state.get()
      const lifetime = jwtLifetimeMs(record.pair.accessToken)
      const now = clock.now()
      if (retryAt !== null) return timer.start(Math.min(Math.max(retryAt - now, 0), timing.retryAfterCapMs), self.start)
      // After the clock was set back the age is unknown.
      if (!lifetime || record.refused || now < record.obtainedAt) return
      const due = record.obtainedAt + lifetime * (0.75 + random() * 0.1)
      timer.start(Math.max(due - now, pauseLeft(record.pause, now)), () => {
        if (tabs.isVisible()) self.start()
      })
    },

    stop: timer.clear,
  }
  return self
}

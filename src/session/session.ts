// The session: who is signed in, which token to send, when to replace it. Tokens never leave this closure but to be sent.
import { createCoordinator, sleep, systemClock } from './coordinator.ts'
import { ApiError, RefreshUnavailableError } from './errors.ts'
import { freshRecord, tombstone } from './record.ts'
import { logoutPath, post } from './refresh-call.ts'
import { attempt, type Attempt } from './refresher.ts'
import { createState } from './state.ts'
import { createTokenStore } from './token-store.ts'
import { baseUrlOf, isToken, jwtLifetimeMs, randomId } from './wire.ts'
import type {
  AuthSession,
  AuthSessionConfig,
  RefreshOutcome,
  RefreshTiming,
  SignedOutReason,
  TabMessage,
  TokenPair,
  TokenRecord,
  Update,
  WakeCause,
} from './types.ts'

export const defaultTiming: RefreshTiming = {
  timeoutMs: 10_000,
  quickRetriesMs: [300, 1000, 3000],
  backoffMs: [15_000, 120_000],
  leaseMs: 12_000,
  lockWaitMs: 15_000,
  waiterMs: 20_000,
  retryAfterCapMs: 300_000,
  logoutWaitMs: 3000,
  pollMs: 250,
  breakerMs: 30_000,
  breakerRotations: 3,
}

interface Flight {
  readonly sessionId: string
  readonly done: Promise<void>
  outcome?: RefreshOutcome
  discarded?: TokenPair | undefined
}

const longestTimer = 2 ** 31 - 1

/**
 * Makes the session of one server. Does nothing until `initialize`.
 * @throws TypeError for a configuration that would make the server refuse every refresh
 */
export function createAuthSession(config: AuthSessionConfig): AuthSession {
  const base = baseUrlOf(config.baseUrl)
  const tell = () => (typeof config.language === 'function' ? config.language() : config.language)
  assertOneOf('apiVersion', config.apiVersion, ['1', '2', '3'])
  assertOneOf('app', config.app, ['site', 'admin', 'mobile', 'desktop'])
  assertOneOf('language', tell(), ['ru', 'en', 'cn'])

  const clock = config.clock ?? systemClock
  const random = config.random ?? Math.random
  const timing = { ...defaultTiming, ...config.timing }
  const scope = `relaydeck:session:${base}`
  const tabs = config.coordinator ?? createCoordinator(scope, clock)
  const store = config.storage ?? createTokenStore(scope, clock)
  const wire = { config, base, clock, timing, fetch: config.fetch ?? globalThis.fetch.bind(globalThis) }
  const deps = { ...wire, store, random, owner: randomId() }
  const state = createState({
    status: 'initializing',
    sessionId: null,
    generation: 0,
    reason: 'none',
    retryAt: null,
    persistence: 'memory',
  })

  /** The record in use; never a tombstone. */
  let memory: TokenRecord | null = null
  /** Memory is ahead of a ledger that could not be written. */
  let unsaved = false
  /** Generation that the server refused. */
  let rejected = 0
  /** New pairs since an operation last accepted one. */
  let rotations = 0
  let breakerUntil = 0
  let flight: Flight | undefined
  let ready: Promise<void> | undefined
  let reading: Promise<void> | undefined
  let isStale = false
  let ending: Promise<boolean> | undefined
  /** Counts own writes: what was read before one is out of date. */
  let epoch = 0
  let wokeAt = -Infinity
  let timer: unknown
  let isDisposed = false
  /** Sessions that ended here, whatever a slow read still says. */
  const over = new Set<string>()
  const waiters = new Set<() => void>()
  const news = new Set<() => void>()

  const flushAll = (set: Set<() => void>) => {
    for (const run of [...set]) run()
    set.clear()
  }
  const announce = (record: TokenRecord, isLost: boolean) =>
    tabs.post({ sessionId: record.sessionId, generation: record.generation, ...(isLost ? { record } : {}) })

  /** Something could not be stored: the session lives on in memory, the other tabs hear it from us. */
  function persistence(error?: unknown) {
    const mode = error ? 'memory' : store.mode
    if (mode !== state.get().persistence && (error || ready)) {
      state.set({ persistence: mode })
      const name = (error as Error | undefined)?.name
      state.emit({ type: 'persistence', mode, ...(name ? { error: name } : {}) })
    }
  }

  /** Works with this record from now on. */
  function use(record: TokenRecord) {
    const before = memory
    const isSame = before?.sessionId === record.sessionId
    const isNewToken = !isSame || before.generation !== record.generation
    memory = record
    if (!isNewToken) return
    epoch++
    rejected = 0
    if (before && !isSame) over.add(before.sessionId)
    const { sessionId, generation } = record
    state.set({ status: 'authenticated', sessionId, generation, reason: 'none', retryAt: null })
    state.emit({
      type: isSame ? 'token_refreshed' : before ? 'session_changed' : 'signed_in',
      sessionId,
      generation,
    })
    if (!isSame) flushAll(waiters)
    plan()
  }

  function end(reason: SignedOutReason) {
    if (memory) over.add(memory.sessionId)
    memory = null
    unsaved = false
    epoch++
    clock.clearTimeout(timer)
    state.set({ status: 'unauthenticated', sessionId: null, generation: 0, reason, retryAt: null })
    state.emit({ type: 'signed_out', reason })
    flushAll(waiters)
  }

  /** Takes in what the ledger, or another tab, says. */
  function apply(record: TokenRecord | null, isMessage = false) {
    const isOwn = record?.sessionId === memory?.sessionId
    if (record && isOwn && memory) {
      if (!record.pair) end(record.ended === 'expired' ? 'expired' : 'other_tab')
      else if (record.generation >= memory.generation) {
        if (record.generation > memory.generation) unsaved = isMessage
        use(record)
      }
    } else if (!record) {
      if (memory && !unsaved) end('storage_cleared')
    } else if (!(unsaved && memory && record.obtainedAt < memory.obtainedAt) && !over.has(record.sessionId)) {
      if (record.pair) {
        unsaved = isMessage
        use(record)
      } else if (memory) end('other_tab')
    }
  }

  /** Looks into the ledger. Many callers share one look; one that knows of news gets a look begun after it. */
  const sync = (isNews = false): Promise<void> => {
    isStale ||= isNews
    return (reading ??= look().finally(() => {
      reading = undefined
    }))
  }
  async function look() {
    do {
      isStale = false
      const at = epoch
      const record = await store.read().catch(() => memory)
      if (isDisposed) return
      if (at === epoch) apply(record)
      else isStale = true
    } while (isStale)
    if (!unsaved) persistence()
  }

  async function boot() {
    tabs.open({
      message(message: TabMessage | null) {
        if (message?.record && !isDisposed) apply(message.record, true)
        else void sync(true)
        flushAll(news)
      },
      wake: (cause) => void wake(cause),
      hide: () => void store.close(),
    })
    await store.open()
    await sync()
    persistence()
    if (!memory && state.get().status === 'initializing') state.set({ status: 'unauthenticated' })
  }

  const initialize = () => (ready ??= boot()).then(state.get)

  async function wake(cause: WakeCause) {
    const now = clock.now()
    if (cause !== 'online' && Math.abs(now - wokeAt) < 2000) return
    wokeAt = now
    await initialize()
    await sync()
    if (isDisposed) return
    if (state.get().status === 'degraded') void refresh({ force: true })
    else plan()
    state.emit({ type: 'woke', cause })
  }

  /** Sets the one timer: the next try while degraded, or the renewal ahead of time when the lifetime is known. */
  function plan() {
    clock.clearTimeout(timer)
    if (!memory?.pair || isDisposed) return
    const { retryAt } = state.get()
    const lifetime = jwtLifetimeMs(memory.pair.accessToken)
    const now = clock.now()
    const isAhead = retryAt === null
    // A clock that went back says nothing about the age.
    if (isAhead && (!lifetime || memory.refused || now < memory.obtainedAt)) return
    const due = isAhead
      ? Math.max(memory.obtainedAt + (lifetime ?? 0) * (0.75 + random() * 0.1), memory.notBefore ?? 0)
      : retryAt
    timer = clock.setTimeout(
      () => {
        if (clock.now() < due) plan()
        else if (!isAhead) void refresh({})
        else if (tabs.isVisible()) void refresh({ proactive: true })
      },
      Math.min(Math.max(due - now, 0), longestTimer),
    )
  }

  function settle(held: TokenRecord, current: Flight, result: Attempt) {
    if (flight === current) flight = undefined
    current.outcome = result.outcome
    if (result.outcome === 'superseded') current.discarded = result.discarded
    const isCurrent = memory?.sessionId === held.sessionId
    if (!isCurrent || !memory) {
      current.outcome = 'superseded'
    } else if (result.outcome === 'rotated') {
      unsaved = !!result.error
      persistence(result.error)
      rotations++
      if (rotations >= timing.breakerRotations) breakerUntil = clock.now() + timing.breakerMs
      use(result.record)
      announce(result.record, unsaved)
    } else if (result.outcome === 'adopted') {
      if (result.record.generation >= memory.generation) use(result.record)
    } else if (result.outcome === 'superseded') {
      apply(result.record)
    } else if (result.outcome === 'rejected') {
      if (result.record.pair) use(result.record)
      else end('expired')
      announce(result.record, !result.record.pair)
    } else {
      const { cause, retryAt, failures, byServer } = result
      memory = { ...memory, failures, notBefore: retryAt, pausedByServer: byServer }
      if (rejected === memory.generation) {
        state.set({ status: 'degraded', retryAt })
        state.emit({ type: 'degraded', cause, retryAt })
      }
    }
    if (memory && state.get().status === 'refreshing') state.set({ status: 'authenticated', retryAt: null })
    plan()
    flushAll(news)
    flushAll(waiters)
  }

  /** Starts an attempt, or joins the one under way. */
  function refresh(options: { proactive?: boolean; force?: boolean }): Flight | undefined {
    const held = memory
    if (!held || isDisposed || flight?.sessionId === held.sessionId) return flight
    clock.clearTimeout(timer)
    const run = async (locked: boolean) => {
      const result = await attempt(deps, {
        held: memory?.sessionId === held.sessionId ? { ...held, failures: memory.failures ?? 0 } : held,
        unsaved,
        locked,
        proactive: !!options.proactive && rejected !== held.generation,
        force: !!options.force,
        isCurrent: () => memory?.sessionId === held.sessionId,
        isOnline: tabs.isOnline,
        news: () => new Promise<void>((resolve) => void news.add(resolve)),
      })
      // Listeners hear of it after the lock is free again.
      state.hold()
      settle(held, current, result)
      // Signed out meanwhile: nobody else may take the lock and the token that was just used before the end is written.
      await ending
    }
    const current: Flight = {
      sessionId: held.sessionId,
      done: tabs
        .exclusive(held.sessionId, timing.lockWaitMs, run)
        .catch(() => {})
        .finally(() => state.release()),
    }
    flight = current
    state.set({ status: 'refreshing' })
    return current
  }

  /** Waits for the end of a refresh, of the session, or of patience. */
  const wait = (signal: AbortSignal | null | undefined) =>
    new Promise<void>((resolve, reject) => {
      const finish = (settleWaiter: () => void) => () => {
        waiters.delete(done)
        clock.clearTimeout(limit)
        signal?.removeEventListener('abort', abort)
        settleWaiter()
      }
      const done = finish(resolve)
      const abort = finish(() => reject(signal?.reason))
      const limit = clock.setTimeout(done, timing.waiterMs)
      waiters.add(done)
      signal?.addEventListener('abort', abort)
      if (signal?.aborted) abort()
    })

  async function refreshSession({ rejectedGeneration, signal }: Parameters<AuthSession['refreshSession']>[0] = {}) {
    await initialize()
    const held = memory
    if (!held) return 'superseded'
    const isRejected = rejectedGeneration !== undefined
    if (isRejected) {
      if (rejectedGeneration < held.generation) return 'adopted'
      if (clock.now() < breakerUntil) return 'unavailable'
      rejected = held.generation
      const { status, retryAt } = state.get()
      if (status === 'degraded' && clock.now() < (retryAt ?? 0)) return 'unavailable'
    }
    const current = refresh({ force: !isRejected, proactive: !isRejected })
    if (!current) return 'superseded'
    await wait(signal)
    if (memory?.sessionId !== held.sessionId) return state.get().reason === 'expired' ? 'rejected' : 'superseded'
    return current.outcome ?? (memory.generation > held.generation ? 'adopted' : 'unavailable')
  }

  return {
    initialize,
    getSnapshot: state.get,
    subscribe: state.subscribe,
    onAuthStateChange: state.onEvent,

    async setSession(tokens) {
      await initialize()
      const { accessToken, refreshToken } = tokens
      if (!isToken(accessToken) || !isToken(refreshToken)) throw new ApiError('These are not tokens')
      const fingerprint = await config.fingerprint?.()
      const identity = { sessionId: randomId(), generation: 0, ...(fingerprint ? { fingerprint } : {}) }
      const record = freshRecord(identity, { accessToken, refreshToken }, clock.now())
      let error: unknown
      try {
        if (!(await store.compareAndSet(() => record))) throw new ApiError('not stored')
      } catch (caught) {
        error = caught
      }
      rotations = breakerUntil = 0
      if (error) {
        unsaved = true
        persistence(error)
        use(record)
      } else {
        // Another tab may have signed in since: the ledger says who was last, not the order in which we hear of it.
        await sync(true)
      }
      announce(record, unsaved)
      return state.get()
    },

    async getAccessToken({ signal } = {}) {
      await initialize()
      await sync()
      signal?.throwIfAborted()
      const { generation, sessionId } = memory ?? { generation: 0, sessionId: '' }
      if (memory && rejected === generation) {
        await refreshSession({ rejectedGeneration: generation, signal })
        if (memory?.sessionId === sessionId && rejected === memory.generation && clock.now() >= breakerUntil)
          throw new RefreshUnavailableError(state.get().retryAt ?? clock.now() + 1000)
      }
      return memory?.pair
        ? {
            value: memory.pair.accessToken,
            generation: memory.generation,
            sessionId: memory.sessionId,
            obtainedAt: memory.obtainedAt,
          }
        : null
    },

    refreshSession,

    confirmAccess({ sessionId, generation }) {
      if (memory?.sessionId !== sessionId || memory.generation !== generation) return
      rotations = breakerUntil = rejected = 0
      if (state.get().status === 'degraded') {
        state.set({ status: 'authenticated', retryAt: null })
        plan()
      }
    },

    async signOut({ notifyServer = true } = {}) {
      const held = memory
      const current = flight
      if (!held) return
      end('user')
      let newest = held.pair?.refreshToken
      const mark: Update = (record) => {
        if (record && record.sessionId !== held.sessionId) return undefined
        if (record?.pair && record.generation > held.generation) newest = record.pair.refreshToken
        return tombstone(record ?? held, 'user', clock.now())
      }
      const grave = tombstone(held, 'user', clock.now())
      ending = store.compareAndSet(mark).then(
        () => false,
        () => true,
      )
      const isLost = await ending
      announce(grave, isLost)
      if (!notifyServer) return
      void (async () => {
        // A refresh under way may have replaced the token already: the logout should end its successor.
        if (current) await Promise.race([current.done, sleep(clock, timing.logoutWaitMs)])
        const refreshToken = current?.discarded?.refreshToken ?? newest
        await post(wire, logoutPath, { app: config.app, refresh: refreshToken }, { keepalive: true })
      })().catch(() => {})
    },

    async dispose() {
      if (isDisposed) return
      isDisposed = true
      clock.clearTimeout(timer)
      tabs.close()
      await flight?.done
      await store.close()
    },
  }
}

function assertOneOf(name: string, value: string, allowed: readonly string[]) {
  if (!allowed.includes(value)) throw new TypeError(`${name} must be one of ${allowed.join(', ')}`)
}

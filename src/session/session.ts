// The session: user, access token and its renewal. Tokens leave this closure only in requests.
import { createCoordinator, sleep, systemClock, within } from './coordinator.ts'
import { ApiError, unavailableUntil } from './errors.ts'
import { createFlights } from './flights.ts'
import { createHolder } from './holder.ts'
import { freshRecord, tombstone } from './record.ts'
import { logoutPath, post } from './refresh-call.ts'
import { createState } from './state.ts'
import { createTokenStore } from './token-store.ts'
import type { AuthSession, AuthSessionConfig, RefreshTiming, WakeCause } from './types.ts'
import { baseUrlOf, isToken, randomId } from './wire.ts'

export const defaultTiming: RefreshTiming = {
  timeoutMs: 10_000,
  lateMs: 120_000,
  quickRetriesMs: [300, 1000, 2000],
  backoffMs: [15_000, 120_000],
  demandMs: 2000,
  leaseMs: 12_000,
  lockWaitMs: 15_000,
  waiterMs: 20_000,
  retryAfterCapMs: 300_000,
  logoutWaitMs: 3000,
  readMs: 1400,
  pollMs: 250,
  breakerMs: 30_000,
  breakerRefusals: 3,
}

/** Wake signals within this time count as one, ms. */
const wakeMs = 2000
/** Sign-in waits this long for a slow ledger; then the pair is in memory until the write arrives. */
const signInMs = 3000

/**
 * Creates the session of one server. Inactive until `initialize`.
 * @throws TypeError for a configuration with which the server would refuse every refresh
 */
export function createAuthSession(config: AuthSessionConfig): AuthSession {
  const base = baseUrlOf(config.baseUrl)
  const { language } = config
  assertOneOf(config.apiVersion, ['1', '2', '3'])
  assertOneOf(config.app, ['site', 'admin', 'mobile', 'desktop'])
  assertOneOf(typeof language === 'function' ? language() : language, ['ru', 'en', 'cn'])

  const clock = config.clock ?? systemClock
  const timing = { ...defaultTiming, ...config.timing }
  const scope = `relaydeck:session:${base}`
  const tabs = config.coordinator ?? createCoordinator(scope, clock)
  const store = config.storage ?? createTokenStore(scope, clock, () => void holder.sync(true))
  const wire = { config, base, clock, timing, fetch: config.fetch ?? globalThis.fetch.bind(globalThis) }
  const state = createState({
    status: 'initializing',
    sessionId: null,
    generation: 0,
    reason: 'none',
    retryAt: null,
    persistence: 'indexeddb',
  })
  let ready: Promise<void> | undefined
  let ending: Promise<boolean> | undefined
  let wokeAt = -Infinity

  const holder = createHolder({
    state,
    store,
    clock,
    readMs: timing.readMs,
    post: tabs.post,
    onChange() {
      flights.plan()
      flights.dismiss()
    },
  })
  const flights = createFlights({
    ...wire,
    state,
    holder,
    tabs,
    store,
    owner: randomId(),
    random: config.random ?? Math.random,
    ending: () => ending,
  })

  async function boot() {
    tabs.open({
      message(message) {
        if (message?.record) holder.apply(message.record, true)
        void holder.sync(true)
        if (message) holder.answer(message)
        flights.hear()
      },
      wake: (cause) => void wake(cause),
      hide: () => void store.close(),
    })
    await store.open()
    await holder.sync()
    if (state.get().status === 'initializing') state.set({ status: 'unauthenticated' })
  }

  const initialize = () => (ready ??= boot()).then(state.get)

  async function wake(cause: WakeCause) {
    const now = clock.now()
    if (cause !== 'online' && Math.abs(now - wokeAt) < wakeMs) return
    wokeAt = now
    await initialize()
    await holder.sync()
    flights.hear()
    if (cause === 'online') flights.reconnect()
    // A renewal failed, perhaps one without a waiting request.
    if (holder.record?.pause) flights.start({ force: true })
    else flights.plan()
    state.emit({ type: 'woke', cause })
  }

  const refreshSession: AuthSession['refreshSession'] = async ({ rejectedGeneration, signal } = {}) => {
    await initialize()
    const held = holder.record
    if (!held) return 'superseded'
    const isRejected = rejectedGeneration !== undefined
    if (isRejected) {
      if (rejectedGeneration < held.generation) return 'adopted'
      flights.refuse(held)
      if (flights.isOpen()) return 'unavailable'
      // A refusal is a response: the network works.
      const isResponse = holder.rejected !== held.generation
      holder.rejected = held.generation
      if (!isResponse && state.get().status === 'degraded' && flights.isPaused()) return 'unavailable'
    }
    const flight = flights.start({ force: !isRejected, asked: isRejected })
    await flights.wait(signal)
    if (!holder.record || !holder.isOf(held.sessionId))
      return state.get().reason === 'expired' ? 'rejected' : 'superseded'
    return holder.record.generation > held.generation && flight?.outcome !== 'rotated'
      ? 'adopted'
      : (flight?.outcome ?? 'unavailable')
  }

  return {
    initialize,
    getSnapshot: state.get,
    subscribe: state.subscribe,
    onAuthStateChange: state.onEvent,
    refreshSession,

    async setSession({ accessToken, refreshToken }) {
      await initialize()
      if (!isToken(accessToken) || !isToken(refreshToken)) throw new ApiError('These are not tokens')
      const fingerprint = await config.fingerprint?.()
      const identity = { sessionId: randomId(), generation: 0, ...(fingerprint ? { fingerprint } : {}) }
      const record = freshRecord(identity, { accessToken, refreshToken }, clock.now())
      let isLate = false
      flights.confirm()
      try {
        // A late write must not restore a pair that has been replaced since.
        const writing = store.compareAndSet(() => (isLate && holder.record !== record ? undefined : record))
        isLate = !(await within(clock, signInMs, writing))
        if (isLate || !(await writing)) throw new ApiError('Not stored')
        // Another tab may have signed in since: the ledger decides, not the order of messages.
        await holder.sync(true)
      } catch (error) {
        const { record: now } = holder
        // This tab was frozen, and another sign-in has followed.
        if (now && now.obtainedAt > record.obtainedAt) return state.get()
        holder.unsaved = true
        holder.persisted(error)
        holder.use(record)
      }
      holder.announce(record, holder.unsaved)
      return state.get()
    },

    async getAccessToken({ signal } = {}) {
      await initialize()
      await holder.sync()
      signal?.throwIfAborted()
      const before = holder.token()
      if (before && holder.rejected === before.generation) {
        await refreshSession({ rejectedGeneration: before.generation, signal })
        if (holder.isOf(before.sessionId) && holder.rejected === before.generation && !flights.isOpen())
          throw unavailableUntil(state.get().retryAt ?? clock.now() + 1000)
      }
      return holder.token()
    },

    confirmAccess({ sessionId, generation }) {
      if (holder.isOf(sessionId) && holder.record?.generation === generation) flights.confirm()
    },

    async signOut({ notifyServer = true } = {}) {
      if (state.get().status === 'initializing') await initialize()
      const held = holder.record
      const flight = flights.current
      if (!held) return
      holder.end('user')
      let newest = held
      const grave = () => tombstone(newest, 'user', clock.now())
      const writing = store.compareAndSet((record) => {
        if (record && record.sessionId !== held.sessionId) return undefined
        if (record?.pair && record.generation > held.generation) newest = record
        return grave()
      })
      ending = within(clock, timing.logoutWaitMs, writing)
        .catch(() => false)
        .then((isWritten) => {
          // When nothing can be written, only the revocation by the service remains.
          if (!isWritten && !store.bury(held.sessionId)) holder.persisted(new ApiError('Not stored'))
          return isWritten
        })
      holder.announce(grave(), !(await ending))
      if (!notifyServer) return
      const tellServer = async () => {
        // A refresh in flight may have replaced the token already: the logout should revoke its successor.
        if (flight) await Promise.race([flight.done, sleep(clock, timing.logoutWaitMs)])
        const refresh = (flight?.discarded ?? newest.pair)?.refreshToken
        await post(wire, logoutPath, { app: config.app, refresh }, { keepalive: true })
      }
      void tellServer().catch(() => {})
    },

    async dispose() {
      holder.isDisposed = true
      flights.stop()
      tabs.close()
      await flights.current?.done
      await store.close()
    },
  }
}

function assertOneOf(value: string, allowed: readonly string[]) {
  if (!allowed.includes(value)) throw new TypeError(`${value} is not one of ${allowed.join(', ')}`)
}

// The session: user, access token and its renewal. Tokens leave this closure only in requests.
import { unavailableUntil } from './errors.ts'
import { createCore } from './core.ts'
import { signIn, signOut } from './sign-in-out.ts'
import type { AuthSession, AuthSessionConfig, WakeCause } from './types.ts'

/** Wake signals within this time count as one, ms. */
const wakeMs = 2000

/**
 * Creates the session of one server. Inactive until `initialize`.
 * @throws TypeError for a configuration with which the server would refuse every refresh
 */
export function createAuthSession(config: AuthSessionConfig): AuthSession {
  const core = createCore(config)
  const { clock, tabs, store, state, holder, flights, revoker } = core
  let ready: Promise<void> | undefined
  let wokeAt = -Infinity

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
    revoker.resume()
  }

  const initialize = () => (ready ??= boot()).then(state.get)

  async function wake(cause: WakeCause) {
    const now = clock.now()
    if (cause !== 'online' && Math.abs(now - wokeAt) < wakeMs) return
    wokeAt = now
    await initialize()
    await holder.sync()
    flights.hear()
    revoker.resume()
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

    async setSession(pair) {
      await initialize()
      return signIn(core, pair)
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
      await signOut(core, notifyServer)
    },

    async dispose() {
      holder.isDisposed = true
      flights.stop()
      revoker.stop()
      tabs.close()
      await flights.current?.done
      await store.close()
    },
  }
}

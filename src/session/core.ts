// The parts of a session, connected: state, ledger, record in use, refreshes.
import { createCoordinator, systemClock } from './coordinator.ts'
import { createFlights } from './flights.ts'
import { createHolder } from './holder.ts'
import { createRevoker } from './revoker.ts'
import { createState } from './state.ts'
import { createTokenStore } from './token-store.ts'
import type { AuthSessionConfig, RefreshTiming } from './types.ts'
import { baseUrlOf, randomId } from './wire.ts'

export const defaultTiming: RefreshTiming = {
  timeoutMs: 10_000,
  lateMs: 120_000,
  quickRetriesMs: [300, 1000, 2000],
  backoff: { firstMs: 15_000, mostMs: 120_000 },
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

export type SessionCore = ReturnType<typeof createCore>

/**
 * Creates the parts of one session.
 * @throws TypeError for a configuration with which the server would refuse every refresh
 */
export function createCore(config: AuthSessionConfig) {
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
    isRetryHeld: false,
    persistence: 'indexeddb',
  })
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
    ending: () => self.ending,
  })
  const self = {
    config,
    clock,
    timing,
    wire,
    tabs,
    store,
    state,
    holder,
    flights,
    revoker: createRevoker({ wire, tabs, store, holder }),
    /** The pending write of the session's end. */
    ending: undefined as Promise<boolean> | undefined,
  }
  return self
}

function assertOneOf(value: string, allowed: readonly string[]) {
  if (!allowed.includes(value)) throw new TypeError(`${value} is not one of ${allowed.join(', ')}`)
}

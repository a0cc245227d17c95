// Simulated tabs that share a ledger, locks and messages. Random delays for every asynchronous step.
import { createApiClient, type ApiClient, type ApiClientOptions } from '#src/session/client.ts'
import { createAuthSession } from '#src/session/session.ts'
import type {
  AuthEvent,
  AuthSession,
  AuthSessionConfig,
  Clock,
  Coordinator,
  TabMessage,
  WakeCause,
} from '#src/session/types.ts'
import type { FakeClock } from './fake-clock.ts'
import { createFakeDevice, networkOf, storageOf } from './fake-device.ts'
import { createFakeLocks } from './fake-locks.ts'
import type { FakeServer } from './fake-server.ts'

export interface Tab {
  readonly session: AuthSession
  readonly client: ApiClient
  readonly events: AuthEvent[]
  readonly state: { isVisible: boolean; isOnline: boolean; isCrashed: boolean }
  wake(cause: WakeCause): void
  /** The page leaves the screen, as before the back-forward cache. */
  hide(): void
  crash(): void
  /** Stops the tab: timers, storage, network and messages reach it after `thaw`. It keeps its lock. */
  freeze(): void
  thaw(): void
}

export interface BrowserOptions {
  readonly random?: () => number
  /** Provides Web Locks. */
  readonly locks?: boolean
  /** The longest step of storage and messages, ms; the network takes up to four times as long. */
  readonly slow?: number
}

/** Creates a browser connected to a server. */
export function createFakeBrowser(clock: FakeClock, server: FakeServer, options: BrowserOptions = {}) {
  const { random = () => 0, locks: hasLocks = true, slow = 0 } = options
  const device = createFakeDevice(clock, server, { random, slow })
  const locks = createFakeLocks(clock)
  const { ledger, takes } = device
  const ears = new Map<number, (message: TabMessage | null) => void>()
  let tabs = 0

  function tab(config: Partial<AuthSessionConfig> & { client?: Partial<ApiClientOptions> } = {}): Tab {
    const id = ++tabs
    const state = { isVisible: true, isOnline: true, isCrashed: false }
    let wakeUp: Tab['wake'] = () => {}
    let leave = () => {}
    let frozen: (() => void)[] | undefined
    const thawed = () => new Promise<void>((resolve) => (frozen ? frozen.push(resolve) : resolve()))
    /** Nothing continues in a tab that crashed or is frozen. */
    const alive = async () => {
      if (state.isCrashed) await new Promise(() => {})
      if (frozen) await thawed()
    }
    const ownClock: Clock = {
      ...clock,
      setTimeout: (run, ms) => clock.setTimeout(() => (frozen ? frozen.push(run) : run()), ms),
    }

    const coordinator: Coordinator = {
      open({ message, wake, hide }) {
        ears.set(id, (said) => void alive().then(() => message(said)))
        wakeUp = wake
        leave = hide
      },
      post(message) {
        if (state.isCrashed || ledger.isDeaf) return
        for (const other of ears.keys()) if (other !== id) void takes(slow).then(() => ears.get(other)?.(message))
      },
      async exclusive(name, waitMs, work) {
        const isGranted = hasLocks && (await locks.acquire(id, name, waitMs))
        await alive()
        await work({ held: isGranted })
        await alive()
        if (isGranted) locks.release(name)
        else locks.grantNext()
      },
      isVisible: () => state.isVisible,
      isOnline: () => state.isOnline,
      close: () => void ears.delete(id),
    }

    const fetch = networkOf(device, id, state, alive)
    const baseUrl = 'http://server'
    const { client: clientOptions, ...own } = config
    const session = createAuthSession({
      baseUrl,
      apiVersion: '1',
      language: 'en',
      app: 'site',
      clock: ownClock,
      random,
      coordinator,
      fetch,
      storage: storageOf(device, alive),
      ...own,
    })
    const events: AuthEvent[] = []
    session.onAuthStateChange((event) => void events.push(event))
    return {
      session,
      client: createApiClient({ session, baseUrl, clock, fetch, ...clientOptions }),
      events,
      state,
      wake: (cause) => wakeUp(cause),
      hide: () => leave(),
      freeze() {
        frozen ??= []
      },
      thaw() {
        const waiting = frozen ?? []
        frozen = undefined
        for (const run of waiting) run()
      },
      crash() {
        state.isCrashed = true
        ears.delete(id)
        locks.drop(id)
      },
    }
  }

  return { ledger, tab, locked: locks.locked }
}

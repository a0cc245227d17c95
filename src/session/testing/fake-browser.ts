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
  TokenRecord,
  TokenStore,
  WakeCause,
} from '#src/session/types.ts'
import { tombstone } from '#src/session/record.ts'
import type { FakeClock } from './fake-clock.ts'
import type { FakeServer } from './fake-server.ts'

export interface Tab {
  readonly session: AuthSession
  readonly client: ApiClient
  readonly events: AuthEvent[]
  readonly state: { isVisible: boolean; isOnline: boolean; isCrashed: boolean }
  wake(cause: WakeCause): void
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
  const { random = () => 0, locks = true, slow = 0 } = options
  const ledger = {
    record: null as TokenRecord | null,
    failsToWrite: false,
    /** Delay of each step of the storage, ms. */
    takes: 0,
    buried: '',
    isDeaf: false,
    /** End of each user's session, and owner of each session. */
    endedAt: new Map<string, number>(),
    ownerOf: new Map<string, string>(),
  }
  const ears = new Map<number, (message: TabMessage | null) => void>()
  const locked = new Map<string, number>()
  const queue: { name: string; tab: number; grant: () => void }[] = []
  let tabs = 0

  const takes = (ms: number) =>
    new Promise<void>((resolve) => {
      clock.setTimeout(resolve, random() * ms)
    })
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      clock.setTimeout(resolve, ms)
    })
  const grantNext = () => {
    const index = queue.findIndex(({ name }) => !locked.has(name))
    if (index >= 0) queue.splice(index, 1)[0]?.grant()
  }

  function tab(config: Partial<AuthSessionConfig> & { client?: Partial<ApiClientOptions> } = {}): Tab {
    const id = ++tabs
    const state = { isVisible: true, isOnline: true, isCrashed: false }
    let wakeUp: Tab['wake'] = () => {}
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

    const acquire = (name: string, waitMs: number) =>
      new Promise<boolean>((resolve) => {
        const entry = {
          name,
          tab: id,
          grant() {
            clock.clearTimeout(timer)
            locked.set(name, id)
            resolve(true)
          },
        }
        const timer = clock.setTimeout(() => {
          queue.splice(queue.indexOf(entry), 1)
          resolve(false)
        }, waitMs)
        queue.push(entry)
        grantNext()
      })

    const coordinator: Coordinator = {
      open({ message, wake }) {
        ears.set(id, (said) => void alive().then(() => message(said)))
        wakeUp = wake
      },
      post(message) {
        if (state.isCrashed || ledger.isDeaf) return
        for (const other of ears.keys()) if (other !== id) void takes(slow).then(() => ears.get(other)?.(message))
      },
      async exclusive(name, waitMs, work) {
        const isGranted = locks && (await acquire(name, waitMs))
        await alive()
        await work({ held: isGranted })
        await alive()
        if (isGranted) locked.delete(name)
        grantNext()
      },
      isVisible: () => state.isVisible,
      isOnline: () => state.isOnline,
      close: () => void ears.delete(id),
    }

    const storage: TokenStore = {
      mode: 'indexeddb',
      open: async () => {},
      async read() {
        await takes(slow)
        await pause(ledger.takes)
        const { record } = ledger
        await takes(slow)
        await alive()
        return record?.sessionId === ledger.buried ? tombstone(record, 'user', clock.now()) : record
      },
      bury(sessionId) {
        ledger.buried = sessionId
        return true
      },
      async compareAndSet(update) {
        await takes(slow)
        await pause(ledger.takes)
        await alive()
        const next = update(ledger.record)
        if (next && ledger.failsToWrite) throw new DOMException('full', 'QuotaExceededError')
        if (next) {
          ledger.record = structuredClone(next)
          if (next.pair) ledger.ownerOf.set(next.sessionId, server.owners.get(next.pair.accessToken) ?? '')
          else ledger.endedAt.set(ledger.ownerOf.get(next.sessionId) ?? '', clock.now())
        }
        await takes(slow)
        await pause(ledger.takes)
        await alive()
        return !!next
      },
      close: async () => {},
    }

    const fetch: typeof globalThis.fetch = async (url, { body: text, headers, signal } = {}) => {
      const path = new URL(url as string).pathname
      const body = typeof text === 'string' ? JSON.parse(text) : {}
      const token = new Headers(headers).get('authorization')?.replace('oauth ', '') ?? ''
      const isRefresh = path === '/method/auth/refresh-access'
      if (!isRefresh) server.sends.push({ path, token, tab: id, at: clock.now() })
      if (!state.isOnline) throw new TypeError('Failed to fetch')
      const said = isRefresh ? (server.said.shift() ?? server.always ?? {}) : {}
      const aborted = new Promise<never>((_, reject) => {
        const abort = () => reject(new DOMException('Aborted', 'AbortError'))
        if (signal?.aborted) abort()
        signal?.addEventListener('abort', abort)
      })
      const orAborted = <T>(work: Promise<T>) => Promise.race([work, aborted])
      if (said.hold) await orAborted(pause(said.hold))
      await orAborted(takes(slow * 4))
      const answer = isRefresh ? server.refresh(body, said) : server.operation(path, token, body)
      if (answer.delay) await orAborted(pause(answer.delay))
      await orAborted(takes(slow * 4))
      if (answer.never) await aborted
      await alive()
      if (answer.lost) throw new TypeError('Failed to fetch')
      const isEmpty = answer.status === 204
      return new Response(isEmpty ? null : (answer.body ?? ''), {
        status: answer.status ?? 200,
        ...(answer.headers ? { headers: answer.headers } : {}),
      })
    }

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
      storage,
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
        for (const entry of queue.filter((waiting) => waiting.tab === id)) queue.splice(queue.indexOf(entry), 1)
        for (const [name, holder] of locked) if (holder === id) locked.delete(name)
        grantNext()
      },
    }
  }

  return { ledger, tab, locked }
}

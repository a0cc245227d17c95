// A small world for tests: a clock that is turned by hand, tabs that share a ledger, locks and messages, and a server
// with rotating tokens. Everything that takes time takes as much as the seeded dice say.
import { createApiClient, type ApiClient } from './client.ts'
import { createAuthSession } from './session.ts'
import type { AuthSession, AuthSessionConfig, Clock, Coordinator, TabMessage, TokenPair, TokenRecord } from './types.ts'

/** Repeatable dice (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

interface Timer {
  at: number
  run: () => void
}

/** A clock that stands still until `advance`. */
export function createFakeClock(start = Date.UTC(2026, 10, 21)) {
  let now = start
  const timers = new Set<Timer>()
  const settle = () => new Promise<void>((resolve) => void setImmediate(resolve))
  const clock: Clock & { advance(ms: number): Promise<void>; timers: Set<Timer>; jump(ms: number): void } = {
    timers,
    now: () => now,
    setTimeout(run, ms) {
      const timer = { at: now + ms, run }
      timers.add(timer)
      return timer
    },
    clearTimeout: (timer) => void timers.delete(timer as Timer),
    /** The time of day changes, and nothing else. */
    jump(ms) {
      now += ms
    },
    /** Lets time pass, timer by timer. */
    async advance(ms) {
      const end = now + ms
      for (;;) {
        await settle()
        let next: Timer | undefined
        for (const timer of timers) if (timer.at <= end && (!next || timer.at < next.at)) next = timer
        if (!next) break
        timers.delete(next)
        now = Math.max(now, next.at)
        next.run()
      }
      now = end
      await settle()
    },
  }
  return clock
}

export type FakeClock = ReturnType<typeof createFakeClock>

/** One answer of the server, said by the test. `lost`: processed, and then the connection broke. */
export interface Said {
  readonly status?: number
  readonly body?: string
  readonly headers?: Record<string, string>
  readonly lost?: boolean
  readonly delay?: number
  readonly never?: boolean
}

/** A server with rotating tokens. */
export function createFakeServer(clock: Clock, mode: 'strict' | 'replay' = 'strict') {
  const access = new Map<string, { sessionId: string; isDead: boolean }>()
  const families = new Map<string, { refresh: string; before: string; pair: TokenPair; isRevoked: boolean }>()
  const owners = new Map<string, string>()
  let count = 0
  const server = {
    mode,
    refreshCalls: 0,
    reuses: 0,
    bodies: [] as string[],
    logouts: [] as string[],
    said: [] as Said[],
    always: undefined as Said | undefined,
    sends: [] as { path: string; token: string; tab: number; at: number }[],
    /** Answers for operations, by path. */
    operations: {} as Record<string, () => Said>,
    owners,
    expire() {
      for (const token of access.values()) token.isDead = true
    },
    mint(owner: string): TokenPair {
      const id = ++count
      const pair = { accessToken: `access-${owner}-${id}`, refreshToken: `refresh-${owner}-${id}` }
      const family = families.get(owner)
      families.set(owner, { refresh: pair.refreshToken, before: family?.refresh ?? '', pair, isRevoked: false })
      access.set(pair.accessToken, { sessionId: owner, isDead: false })
      owners.set(pair.accessToken, owner)
      owners.set(pair.refreshToken, owner)
      return pair
    },
    rotate(token: string): TokenPair | null {
      const owner = owners.get(token) ?? ''
      const family = families.get(owner)
      if (!family || family.isRevoked) return null
      if (family.refresh === token) return server.mint(owner)
      server.reuses++
      if (server.mode === 'replay' && family.before === token) return family.pair
      family.isRevoked = true
      return null
    },
    isAlive: (token: string) => access.has(token) && !access.get(token)?.isDead,
  }
  return server
}

export type FakeServer = ReturnType<typeof createFakeServer>

export interface Tab {
  readonly session: AuthSession
  readonly client: ApiClient
  readonly coordinator: Coordinator & { wake: (cause: 'online' | 'visible' | 'pageshow') => void }
  readonly state: { isVisible: boolean; isOnline: boolean; isCrashed: boolean }
  crash(): void
}

/** Tabs of one browser. `random` decides how long things take. */
export function createFakeBrowser(
  clock: FakeClock,
  server: FakeServer,
  { random = () => 0, locks = true, slow = 0 }: { random?: () => number; locks?: boolean; slow?: number } = {},
) {
  const ledger = {
    record: null as TokenRecord | null,
    failsToWrite: false,
    failsToRead: false,
    endedAt: new Map<string, number>(),
    ownerOf: new Map<string, string>(),
  }
  const ears = new Map<number, (message: TabMessage | null) => void>()
  const held = new Map<string, { tab: number; free: () => void }>()
  const queue: { name: string; tab: number; grant: () => void }[] = []
  const takes = (most = slow) => new Promise<void>((resolve) => void clock.setTimeout(resolve, random() * most))
  let tabs = 0

  const grantNext = () => {
    for (const [index, { name, grant }] of queue.entries()) {
      if (held.has(name)) continue
      queue.splice(index, 1)
      grant()
      return
    }
  }

  function fetchFor(tab: number, state: Tab['state']): typeof fetch {
    return async (url, init) => {
      const path = new URL(url as string).pathname
      const headers = new Headers(init?.headers)
      const token = headers.get('authorization')?.replace('oauth ', '') ?? ''
      const { signal } = init ?? {}
      const isRefresh = path === '/method/auth/refresh-access'
      const said = isRefresh ? (server.said.shift() ?? server.always ?? {}) : (server.operations[path]?.() ?? {})
      if (!isRefresh) server.sends.push({ path, token, tab, at: clock.now() })
      if (state.isCrashed) return new Promise(() => {})
      if (!state.isOnline) throw new TypeError('Failed to fetch')
      const aborted = new Promise<never>((_, reject) => {
        if (signal?.aborted) reject(new DOMException('Aborted', 'AbortError'))
        signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
      })
      aborted.catch(() => {})
      await Promise.race([takes(slow * 4), aborted])
      let { status, body = '{}' } = said
      if (isRefresh) {
        server.refreshCalls++
        server.bodies.push(String(init?.body))
        if (status === undefined) {
          const pair = server.rotate(JSON.parse(String(init?.body)).refresh)
          status = pair ? 200 : 400
          body = JSON.stringify(pair ?? { error: { name: 'BadRefresh' } })
        }
      } else if (path === '/method/auth/logout') {
        server.logouts.push(JSON.parse(String(init?.body)).refresh)
        status = 200
      } else status ??= server.isAlive(token) ? 200 : 401
      if (said.delay)
        await Promise.race([new Promise<void>((resolve) => void clock.setTimeout(resolve, said.delay ?? 0)), aborted])
      await Promise.race([takes(slow * 4), aborted])
      if (said.never) await aborted
      if (state.isCrashed) return new Promise(() => {})
      if (said.lost) throw new TypeError('Failed to fetch')
      return new Response(status === 204 ? null : body, { status, ...(said.headers ? { headers: said.headers } : {}) })
    }
  }

  return {
    ledger,
    tab(config: Partial<AuthSessionConfig> & { client?: Partial<Parameters<typeof createApiClient>[0]> } = {}): Tab {
      const id = ++tabs
      const state = { isVisible: true, isOnline: true, isCrashed: false }
      let wakeUp: Tab['coordinator']['wake'] = () => {}
      /** Nothing happens any more in a tab that crashed. */
      const alive = <T>(value: T): T | Promise<never> => (state.isCrashed ? new Promise<never>(() => {}) : value)
      const coordinator: Tab['coordinator'] = {
        open({ message, wake }) {
          ears.set(id, message)
          wakeUp = wake
        },
        post(message) {
          for (const [other, hear] of ears) {
            if (other !== id && !state.isCrashed) void takes().then(() => ears.has(other) && hear(message))
          }
        },
        async exclusive(name, waitMs, work) {
          const isGranted =
            locks &&
            (await new Promise<boolean>((resolve) => {
              const entry = {
                name,
                tab: id,
                grant: () => {
                  clock.clearTimeout(timer)
                  held.set(name, { tab: id, free: () => held.delete(name) })
                  resolve(true)
                },
              }
              const timer = clock.setTimeout(() => {
                queue.splice(queue.indexOf(entry), 1)
                resolve(false)
              }, waitMs)
              queue.push(entry)
              grantNext()
            }))
          await alive(undefined)
          await work(isGranted)
          await alive(undefined)
          if (isGranted) {
            held.delete(name)
            grantNext()
          }
        },
        isVisible: () => state.isVisible,
        isOnline: () => state.isOnline,
        close: () => void ears.delete(id),
        wake: (cause) => wakeUp(cause),
      }
      const session = createAuthSession({
        baseUrl: 'http://server',
        apiVersion: '1',
        language: 'en',
        app: 'site',
        clock,
        random,
        coordinator,
        fetch: fetchFor(id, state),
        storage: {
          mode: 'indexeddb',
          open: async () => {},
          async read() {
            await takes()
            if (ledger.failsToRead) throw new Error('read')
            const { record } = ledger
            await takes()
            return alive(record)
          },
          async compareAndSet(update) {
            await takes()
            await alive(undefined)
            const next = update(ledger.record)
            if (next && ledger.failsToWrite) throw new DOMException('full', 'QuotaExceededError')
            if (next) ledger.record = structuredClone(next)
            if (next?.pair) ledger.ownerOf.set(next.sessionId, server.owners.get(next.pair.accessToken) ?? '')
            if (next && !next.pair) ledger.endedAt.set(ledger.ownerOf.get(next.sessionId) ?? '', clock.now())
            await takes()
            return alive(!!next)
          },
          close: async () => {},
        },
        ...config,
      })
      const client = createApiClient({
        session,
        baseUrl: 'http://server',
        clock,
        fetch: fetchFor(id, state),
        ...config.client,
      })
      return {
        session,
        client,
        coordinator,
        state,
        crash() {
          state.isCrashed = true
          ears.delete(id)
          for (const entry of queue.filter(({ tab }) => tab === id)) queue.splice(queue.indexOf(entry), 1)
          for (const [name, { tab }] of held) if (tab === id) held.delete(name)
          grantNext()
        },
      }
    },
  }
}

// Ledger and network of a simulated browser, with random delays.
import type { TokenRecord, TokenStore } from '#src/session/types.ts'
import { tombstone } from '#src/session/record.ts'
import type { FakeClock } from './fake-clock.ts'
import type { FakeServer } from './fake-server.ts'

export interface Delays {
  readonly random: () => number
  /** The longest step of storage and messages, ms. */
  readonly slow: number
}

export type FakeDevice = ReturnType<typeof createFakeDevice>

/** Creates the parts of a browser that all its tabs share. */
export function createFakeDevice(clock: FakeClock, server: FakeServer, { random, slow }: Delays) {
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
  const takes = (ms: number) =>
    new Promise<void>((resolve) => {
      clock.setTimeout(resolve, random() * ms)
    })
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      clock.setTimeout(resolve, ms)
    })
  return { clock, server, slow, ledger, takes, pause }
}

/** Storage of a tab. `alive` resolves while the tab runs. */
export function storageOf(device: FakeDevice, alive: () => Promise<void>): TokenStore {
  const { clock, server, slow, ledger, takes, pause } = device
  return {
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
}

/** `fetch` of a tab. */
export function networkOf(
  device: FakeDevice,
  id: number,
  state: { readonly isOnline: boolean },
  alive: () => Promise<void>,
): typeof globalThis.fetch {
  const { clock, server, slow, takes, pause } = device
  return async (url, { body: text, headers, signal } = {}) => {
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
}

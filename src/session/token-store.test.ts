// One ledger per profile: the storage of a tab when IndexedDB is slow, hangs, fails or responds late.
import { afterEach, expect, test, vi } from 'vitest'
import { freshRecord } from './record.ts'
import { createFakeClock } from './testing/fake-clock.ts'
import { createTokenStore } from './token-store.ts'

afterEach(() => vi.unstubAllGlobals())

const key = 'relaydeck:session:http://server'
const mark = 'relaydeck:indexeddb'
const record = (id: string, at: number) =>
  freshRecord({ sessionId: id, generation: 0 }, { accessToken: 'a', refreshToken: 'r' }, at)

/** A browser profile whose IndexedDB responds after `takes` ms, and not before `resume` when it hangs. */
function profile() {
  const clock = createFakeClock()
  const rows = new Map<string, unknown>()
  const items = new Map<string, string>()
  const state = { takes: 0, fails: false, hangs: false }
  let waiting: (() => void)[] = []
  const later = (run: () => void) => void clock.setTimeout(() => (state.hangs ? waiting.push(run) : run()), state.takes)
  const transaction = () => {
    if (state.fails) throw new DOMException('broken', 'UnknownError')
    const tx: Record<string, unknown> = {}
    tx['objectStore'] = () => ({
      get(name: string) {
        const request: { result?: unknown; onsuccess?: () => void } = {}
        later(() => {
          request.result = structuredClone(rows.get(name))
          request.onsuccess?.()
          ;(tx['oncomplete'] as () => void)()
        })
        return request
      },
      put: (value: unknown, name: string) => void rows.set(name, structuredClone(value)),
    })
    return tx
  }
  vi.stubGlobal('indexedDB', {
    open() {
      const error = new DOMException('broken', 'UnknownError')
      const request: { result?: unknown; error: Error; onsuccess?: () => void; onerror?: () => void } = { error }
      later(() => {
        request.result = { transaction, close: () => {} }
        if (state.fails) request.onerror?.()
        else request.onsuccess?.()
      })
      return request
    },
  })
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  })
  const onLate = vi.fn<() => void>()
  const after = async <T>(work: Promise<T>, ms: number): Promise<T | Error> => {
    const caught = work.catch((error: Error) => error)
    await clock.advance(ms)
    return caught
  }
  return {
    clock,
    rows,
    items,
    state,
    onLate,
    after,
    store: () => createTokenStore(key, clock, onLate),
    resume() {
      state.hangs = false
      for (const run of waiting) run()
      waiting = []
    },
  }
}

test('waits for a slow step of IndexedDB, and writes nothing of it to localStorage', async () => {
  const { after, items, rows, state, store } = profile()
  const tab = store()
  await after(tab.open(), 0)
  state.takes = 8000
  expect(
    await after(
      tab.compareAndSet(() => record('s1', 1)),
      8000,
    ),
  ).toBe(true)
  expect(await after(tab.read(), 8000)).toMatchObject({ sessionId: 's1' })
  expect([tab.mode, [...items.keys()], rows.size]).toEqual(['indexeddb', [mark], 1])
})

test('fails a write to a hanging storage after 30 s, later ones after 1 s, and never performs them afterwards', async () => {
  const { after, clock, resume, rows, state, store } = profile()
  const tab = store()
  await after(tab.open(), 0)
  state.hangs = true
  const outcomes: unknown[] = []
  const write = () => void tab.compareAndSet(() => record('late', 1)).then(outcomes.push, (it) => outcomes.push(it))
  write()
  await clock.advance(29_000)
  expect(outcomes).toEqual([])
  await clock.advance(1000)
  expect(outcomes).toHaveLength(1)
  write()
  await clock.advance(1000)
  expect(outcomes).toHaveLength(2)
  resume()
  await clock.advance(1000)
  expect(rows.size).toBe(0)
  expect(
    await after(
      tab.compareAndSet(() => record('new', 2)),
      0,
    ),
  ).toBe(true)
})

test.each(['fails', 'hangs'] as const)(
  'where IndexedDB has worked a tab whose IndexedDB %s has no other ledger',
  async (how) => {
    const { after, items, state, store } = profile()
    await after(store().open(), 0)
    state[how] = true
    const tab = store()
    await after(tab.open(), 5000)
    expect(
      await after(
        tab.compareAndSet(() => record('s1', 1)),
        60_000,
      ),
    ).toBeInstanceOf(Error)
    expect([tab.mode, [...items.keys()]]).toEqual(['indexeddb', [mark]])
  },
)

test('uses localStorage where IndexedDB has never worked, until IndexedDB works in any tab', async () => {
  const { after, items, rows, state, store } = profile()
  state.fails = true
  const tab = store()
  await after(tab.open(), 0)
  expect(
    await after(
      tab.compareAndSet(() => record('s1', 1)),
      1000,
    ),
  ).toBe(true)
  expect([tab.mode, [...items.keys()]]).toEqual(['localstorage', [key]])
  state.fails = false
  await after(store().open(), 1000)
  expect([[...items.keys()], rows.size]).toEqual([[mark], 1])
  expect(await after(tab.read(), 0)).toMatchObject({ sessionId: 's1' })
  expect(
    await after(
      tab.compareAndSet(() => record('s2', 2)),
      1000,
    ),
  ).toBe(true)
  expect([tab.mode, rows.get(key), [...items.keys()]]).toMatchObject(['indexeddb', { sessionId: 's2' }, [mark]])
})

test('switches to an initially slow IndexedDB when it responds', async () => {
  const { after, clock, onLate, rows, state, store } = profile()
  state.takes = 3000
  const tab = store()
  await after(tab.open(), 1400)
  expect(tab.mode).toBe('localstorage')
  expect(
    await after(
      tab.compareAndSet(() => record('s1', 1)),
      200,
    ),
  ).toBe(true)
  await clock.advance(20_000)
  expect([tab.mode, onLate.mock.calls.length, rows.size]).toEqual(['indexeddb', 1, 1])
})

test('ends a session with a tombstone, even when its record is valid', async () => {
  const { after, store } = profile()
  const tab = store()
  await after(tab.open(), 0)
  await after(
    tab.compareAndSet(() => record('s1', 1)),
    0,
  )
  expect(tab.bury('s1')).toBe(true)
  expect(await after(store().read(), 0)).toMatchObject({ sessionId: 's1', pair: null, ended: 'user' })
})

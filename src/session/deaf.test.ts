// A tab whose storage never answers a step reads anew: it follows the ledger again, and uses no other one.
import { afterEach, expect, test, vi } from 'vitest'
import { createFakeBrowser } from './testing/fake-browser.ts'
import { createFakeClock } from './testing/fake-clock.ts'
import { createFakeServer } from './testing/fake-server.ts'
import { createTokenStore } from './token-store.ts'

afterEach(() => vi.unstubAllGlobals())

const key = 'relaydeck:session:http://server'

/** A step of IndexedDB that goes wrong, and how: without an answer, or with an error of the request but no end. */
type Fault = 'open' | 'transaction' | 'commit' | 'request'

/** A profile with a ledger in IndexedDB. `faults` names the next steps that go wrong; `closed` counts closed connections. */
function profile() {
  const clock = createFakeClock()
  const rows = new Map<string, unknown>()
  const items = new Map([['relaydeck:indexeddb', '1']])
  const state = { faults: [] as Fault[], opens: 0, closes: 0 }
  const late: (() => void)[] = []
  /** Returns whether this step goes wrong, and takes the fault. */
  const fails = (step: Fault) => state.faults[0] === step && !!state.faults.shift()
  const soon = (run: () => void) => void clock.setTimeout(run, 1)

  const transaction = () => {
    const writes: (() => void)[] = []
    let isAborted = false
    const tx = {
      error: null,
      oncomplete() {},
      onabort() {},
      onerror: (_: unknown) => {},
      abort() {
        isAborted = true
        tx.onabort()
      },
      objectStore: () => ({
        get(name: string) {
          const request = { result: undefined as unknown, error: null as unknown, onsuccess() {} }
          const answer = () => {
            if (isAborted) return
            request.result = structuredClone(rows.get(name))
            request.onsuccess()
            if (isAborted) return
            const commit = () => {
              if (isAborted) return
              for (const write of writes) write()
              tx.oncomplete()
            }
            if (fails('commit')) late.push(commit)
            else commit()
          }
          if (fails('transaction')) late.push(answer)
          else if (fails('request')) {
            soon(() => {
              request.error = new DOMException('closed', 'AbortError')
              tx.onerror({ target: request })
            })
          } else soon(answer)
          return request
        },
        put: (value: unknown, name: string) => writes.push(() => rows.set(name, structuredClone(value))),
      }),
    }
    return tx
  }
  vi.stubGlobal('indexedDB', {
    open() {
      state.opens++
      const request = { result: { transaction, close: () => void state.closes++ }, onsuccess() {} }
      const answer = () => request.onsuccess()
      if (fails('open')) late.push(answer)
      else soon(answer)
      return request
    },
  })
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  })
  /** Answers all steps that were left without an answer. */
  const answerLate = () => {
    for (const run of late.splice(0)) run()
  }
  return { clock, rows, items, state, answerLate, late }
}

/** Advances the clock, and returns the result of a step, or `unanswered`. */
async function resultOf<T>(clock: { advance(ms: number): Promise<void> }, step: Promise<T>, ms: number) {
  await clock.advance(ms)
  return Promise.race([step, Promise.resolve('unanswered' as const)])
}

/** Two tabs of one profile, signed in as Ann, both idle. */
async function twoTabs() {
  const world = profile()
  const { clock } = world
  const server = createFakeServer()
  const browser = createFakeBrowser(clock, server)
  const open = () => browser.tab({ storage: createTokenStore(key, clock, () => {}) })
  const [first, second] = [open(), open()]
  void first.session.setSession(server.mint('ann'))
  void second.session.initialize()
  await clock.advance(1000)
  const ids = () => [first, second].map((tab) => tab.session.getSnapshot().sessionId)
  expect(new Set(ids()).size).toBe(1)
  return { ...world, server, first, second, ids }
}

test.each(['open', 'transaction', 'request'] as const)(
  'a tab whose read ends in an unanswered step (%s) follows the sign-in and the sign-out of another tab',
  async (fault) => {
    const { clock, first, second, ids, server, state } = await twoTabs()
    const ann = ids()[0]
    if (fault === 'open') first.hide()
    state.faults.push(fault)
    void first.session.getAccessToken()
    await clock.advance(5)
    expect(state.faults).toEqual([])
    void second.session.setSession(server.mint('ben'))
    await clock.advance(11_000)
    expect(ids()[0]).toBe(ids()[1])
    expect(ids()[0]).not.toBe(ann)
    void second.session.signOut()
    await clock.advance(1000)
    expect(ids()).toEqual([null, null])
  },
)

test('a tab follows a sign-out while its storage stays unanswered for minutes, as soon as it answers', async () => {
  const { clock, first, second, ids, state } = await twoTabs()
  state.faults.push(...Array<Fault>(9).fill('transaction'))
  void first.session.getAccessToken()
  await clock.advance(60_000)
  expect(state.faults.length).toBeGreaterThan(0)
  state.faults.length = 0
  void second.session.signOut()
  await clock.advance(11_000)
  expect(ids()).toEqual([null, null])
})

test('finds the session in time when the first open of the database is never answered', async () => {
  const { clock, state } = await twoTabs()
  state.faults.push('open')
  const tab = createTokenStore(key, clock, () => {})
  const done = vi.fn<(mode: string) => void>()
  void tab.open().then(() => done(tab.mode))
  await clock.advance(5000)
  expect(done).toHaveBeenCalledWith('indexeddb')
  expect(await resultOf(clock, tab.read(), 10)).toMatchObject({ pair: { accessToken: 'access-ann-1' } })
})

test('uses the connection of a slow open that answers before a later one, and closes the others', async () => {
  const { answerLate, clock, items, state } = await twoTabs()
  const [opens, closes] = [state.opens, state.closes]
  state.faults.push('open', 'open')
  const tab = createTokenStore(key, clock, () => {})
  void tab.open()
  await clock.advance(3900)
  expect([state.opens - opens, state.closes - closes]).toEqual([2, 0])
  answerLate()
  expect(await resultOf(clock, tab.read(), 10)).toMatchObject({ generation: 1 })
  expect([state.opens - opens, state.closes - closes]).toEqual([2, 1])
  expect([...items.keys()]).toEqual(['relaydeck:indexeddb'])
})

test('writes nothing of a step that was given up, even when it is answered later', async () => {
  const { answerLate, clock, late, rows, state } = await twoTabs()
  const tab = createTokenStore(key, clock, () => {})
  void tab.open()
  await clock.advance(100)
  for (const fault of ['transaction', 'commit'] as const) {
    const before = rows.get(key) as { generation: number }
    state.faults.push(fault)
    const writing = tab.compareAndSet((record) =>
      record ? { ...record, generation: record.generation + 1 } : undefined,
    )
    expect(await resultOf(clock, writing, 11_000)).toBe(true)
    expect(late).toHaveLength(1)
    answerLate()
    await clock.advance(100)
    expect(rows.get(key)).toMatchObject({ generation: before.generation + 1 })
  }
})

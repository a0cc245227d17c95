// The Web Lock around a refresh: it saves time, and must never block.
import { afterEach, expect, test, vi } from 'vitest'
import { exclusive } from './coordinator.ts'
import { createFakeClock } from './testing/fake-clock.ts'
import type { Lock } from './types.ts'

afterEach(() => vi.unstubAllGlobals())

interface Manager {
  readonly ignoresAbort?: boolean
}

/** A manager of one lock. With `ignoresAbort` an aborted request stays in the queue. */
function locks({ ignoresAbort = false }: Manager = {}) {
  const queue: (() => Promise<void>)[] = []
  let isBusy = false
  const next = async () => {
    if (isBusy) return
    const grant = queue.shift()
    if (!grant) return
    isBusy = true
    await grant()
    isBusy = false
    void next()
  }
  const request = (_: string, { signal }: { signal: AbortSignal }, granted: () => Promise<void> | undefined) =>
    new Promise<void>((resolve, reject) => {
      const grant = async () => {
        await granted()
        resolve()
      }
      queue.push(grant)
      if (!ignoresAbort)
        signal.addEventListener('abort', () => {
          const index = queue.indexOf(grant)
          if (index >= 0) queue.splice(index, 1)
          reject(signal.reason)
        })
      void next()
    })
  vi.stubGlobal('navigator', { locks: { request } })
  return { queue, isBusy: () => isBusy }
}

/** Dispatches the events of a page. */
function page() {
  const listeners = new Map<string, Set<() => void>>()
  return {
    listen(type: string, run: () => void) {
      const set = listeners.get(type) ?? new Set()
      listeners.set(type, set.add(run))
      return () => void set.delete(run)
    },
    send(type: string) {
      for (const run of listeners.get(type) ?? []) run()
    },
    count: () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
  }
}

const forever = () => new Promise<void>(() => {})

test.each([false, true])(
  'a lock that is never granted delays the work by the time limit (ignores abort: %s)',
  async (ignoresAbort) => {
    locks({ ignoresAbort })
    const clock = createFakeClock()
    void exclusive(clock, 'x', 1000, forever)
    const seen: boolean[] = []
    const work = exclusive(clock, 'x', 1000, async ({ held }) => void seen.push(held))
    await clock.advance(999)
    expect(seen).toEqual([])
    await clock.advance(1)
    await work
    expect(seen).toEqual([false])
  },
)

test('returns the lock of a page that leaves the screen, and reports the loss to its work', async () => {
  const { isBusy } = locks()
  const clock = createFakeClock()
  const left = page()
  let own: Lock | undefined
  let finish = () => {}
  const first = exclusive(
    clock,
    'x',
    15_000,
    (lock) => {
      own = lock
      return new Promise<void>((resolve) => (finish = resolve))
    },
    left.listen,
  )
  const order: string[] = []
  const second = exclusive(clock, 'x', 15_000, async ({ held }) => void order.push(`second ${held}`))
  await clock.advance(0)
  expect([own?.held, order]).toEqual([true, []])
  left.send('pagehide')
  await clock.advance(0)
  await second
  expect([own?.held, order, isBusy()]).toEqual([false, ['second true'], false])
  finish()
  await first
  expect(left.count()).toBe(0)
})

test('grants no lock to a page that leaves the screen while it waits, and requests it again when the page is back', async () => {
  const { queue } = locks()
  const clock = createFakeClock()
  const left = page()
  let finish = () => {}
  void exclusive(clock, 'x', 15_000, () => new Promise<void>((resolve) => (finish = resolve)))
  const seen: boolean[] = []
  const work = exclusive(clock, 'x', 15_000, async ({ held }) => void seen.push(held), left.listen)
  left.send('pagehide')
  await clock.advance(0)
  expect([queue.length, seen]).toEqual([0, []])
  finish()
  await clock.advance(0)
  left.send('pageshow')
  await clock.advance(0)
  await work
  expect(seen).toEqual([true])
})

test('starts the work immediately without Web Locks', async () => {
  vi.stubGlobal('navigator', {})
  const seen: boolean[] = []
  await exclusive(createFakeClock(), 'x', 1000, async ({ held }) => void seen.push(held))
  expect(seen).toEqual([false])
})

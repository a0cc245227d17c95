import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChatLost, ChatRefused, QuotaGone } from './port.ts'
import { startChatSupervisor } from './supervisor.ts'
import { createMemoryStore, type MemoryStore } from './testing/memory-store.ts'
import { messageEvent, pipelineServices, placeOf, scriptedPlatform } from './testing/messages.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const start = (store: MemoryStore, platform = scriptedPlatform(), random = () => 0.5) => ({
  ...platform,
  supervisor: startChatSupervisor({
    services: pipelineServices(),
    store,
    sources: platform.sources,
    random,
  }),
})
const idsOf = ({ written }: MemoryStore) =>
  written.flatMap(({ event }) => (event.is === 'message' ? [event.message.id] : []))
const kindsOf = ({ written }: MemoryStore) =>
  written.map(({ event }) => (event.is === 'state' ? `${event.state} ${event.reason ?? ''}`.trim() : event.is))

test('two supervisors read each wanted source once', async () => {
  const store = createMemoryStore([placeOf('a'), placeOf('b')])
  const one = start(store)
  const two = start(store)
  await pass(3_000)
  expect(one.open.length + two.open.length).toBe(2)
  for (const { say } of [...one.open, ...two.open]) say(messageEvent('m'))
  await pass(200)
  expect(idsOf(store)).toEqual(['m', 'm'])
  store.places = []
  one.supervisor.wake()
  two.supervisor.wake()
  await pass(200)
  expect(one.open.length + two.open.length).toBe(0)
  await Promise.all([one.supervisor.close(), two.supervisor.close()])
})

test('reconciles each 30 s, immediately when it is woken, and at most each 2.5 s for changes of projects', async () => {
  const store = createMemoryStore([])
  let rounds = 0
  const counting = { ...store, reconcile: () => (rounds++, store.reconcile()) }
  const { open, supervisor } = start(counting)
  await pass(59_000)
  expect(rounds).toBe(2)
  store.places = [placeOf('a')]
  supervisor.wake()
  supervisor.wake()
  await pass(200)
  expect([open.length, rounds]).toEqual([1, 3])
  for (let at = 0; at < 50; at++) {
    supervisor.changed()
    await pass(100)
  }
  expect(rounds).toBe(5)
  await supervisor.close()
})

test('stops a reader when its place ends, between two reconciliations', async () => {
  const store = createMemoryStore([placeOf('a')])
  const reconcile = async () => {
    if (store.until && store.until.getTime() <= Date.now()) store.places = []
    return { places: store.places, until: store.until }
  }
  store.until = new Date(Date.now() + 10_000)
  const { open, supervisor } = start({ ...store, reconcile })
  await pass(9_900)
  expect(open).toHaveLength(1)
  await pass(300)
  expect(open).toHaveLength(0)
  await supervisor.close()
})

test('scenario 8: the source of a holder that died is read within 20 s, with a gap', async () => {
  const store = createMemoryStore([placeOf('a')])
  await store.claim(placeOf('a'), 'dead')
  const { open, supervisor } = start(store)
  await pass(14_000)
  expect(open).toHaveLength(0)
  await pass(6_000)
  expect(open).toHaveLength(1)
  expect(kindsOf(store)).toEqual(['connecting', 'reading', 'gap'])
  await supervisor.close()
})

test('scenario 9, invariant 3: a holder that was frozen writes nothing after another took over', async () => {
  const store = createMemoryStore([placeOf('a')])
  const frozen = start(store)
  await pass(100)
  const [connection] = frozen.open
  // The other process claims while this one neither renews nor writes.
  vi.setSystemTime(Date.now() + 30_000)
  expect(await store.claim(placeOf('a'), 'other')).toMatchObject({ epoch: 2 })
  connection?.say(messageEvent('late'))
  await pass(200)
  expect(store.refused).toBe(1)
  expect(idsOf(store)).toEqual([])
  expect(frozen.open).toHaveLength(0)
  await frozen.supervisor.close()
})

test('invariant 7: without a gap every message of the connection is stored or counted', async () => {
  const store = createMemoryStore([placeOf('a')])
  const { open, supervisor } = start(store)
  await pass(100)
  store.isDown = true
  for (let at = 0; at < 5_000; at++) open[0]?.say(messageEvent(`${at}`))
  await pass(2_000)
  store.isDown = false
  await pass(60_000)
  const skipped = store.written.reduce((sum, { event }) => sum + (event.is === 'skipped' ? event.count : 0), 0)
  expect(skipped).toBeGreaterThan(2_000)
  expect(idsOf(store).length + skipped).toBe(5_000)
  expect(new Set(idsOf(store)).size).toBe(idsOf(store).length)
  expect(kindsOf(store)).not.toContain('gap')
  await supervisor.close()
})

test('a platform that cannot be reached is no lost connection', async () => {
  const store = createMemoryStore([placeOf('a')])
  const offline = scriptedPlatform()
  const next = () => Promise.reject(new ChatLost('getaddrinfo ENOTFOUND irc-ws.chat.twitch.tv'))
  offline.source.open = () => ({ [Symbol.asyncIterator]: () => ({ next }) })
  const { supervisor } = start(store, offline)
  await pass(200)
  expect(kindsOf(store)).toEqual(['connecting', 'waiting unreachable'])
  await supervisor.close()
})

test('a lost connection reconnects with backoff and marks the gap', async () => {
  const store = createMemoryStore([placeOf('a')])
  const { open, supervisor } = start(store)
  await pass(100)
  open[0]?.fail(new ChatLost('closed'))
  await pass(10)
  expect(open).toHaveLength(0)
  await pass(1_000)
  expect(open).toHaveLength(1)
  await pass(200)
  expect(kindsOf(store)).toEqual(['connecting', 'reading', 'waiting lost', 'connecting', 'reading', 'gap'])
  await supervisor.close()
})

test('a platform that catches up from its cursor has no gap', async () => {
  const store = createMemoryStore([placeOf('a')])
  const { open, supervisor } = start(store)
  await pass(100)
  open[0]?.say({ ...messageEvent('1'), cursor: 'page 2' } as ReturnType<typeof messageEvent>)
  await pass(100)
  open[0]?.fail(new ChatLost('closed', { isGap: false }))
  await pass(2_000)
  expect(open[0]?.cursor).toBe('page 2')
  expect(kindsOf(store)).not.toContain('gap')
  await supervisor.close()
})

test('invariant 7: a chat that connects anew for another account marks the gap', async () => {
  const store = createMemoryStore([placeOf('a', { accountId: 1 })])
  const { open, supervisor } = start(store)
  await pass(100)
  store.places = [placeOf('a', { accountId: 2 })]
  supervisor.changed()
  await pass(3_000)
  expect(open.map(({ ctx }) => ctx.place.accountId)).toEqual([2])
  expect(kindsOf(store)).toEqual(['connecting', 'reading', 'connecting', 'reading', 'gap'])
  await supervisor.close()
})

test('gives up on a refusal until the account is connected again', async () => {
  const store = createMemoryStore([placeOf('a', { accountId: 1, revision: '1' })])
  const { open, supervisor } = start(store)
  await pass(100)
  open[0]?.fail(new ChatRefused('scope', 'no scope'))
  await pass(300_000)
  expect(open).toHaveLength(0)
  expect(kindsOf(store).at(-1)).toBe('failed scope')
  store.places = [placeOf('a', { accountId: 1, revision: '2' })]
  supervisor.changed()
  await pass(3_000)
  expect(open).toHaveLength(1)
  await supervisor.close()
})

test('a chat that is not live yet is tried six times at 30 s, then each ten minutes', async () => {
  const store = createMemoryStore([placeOf('a')])
  const { open, supervisor } = start(store)
  await pass(100)
  for (let attempt = 0; attempt < 6; attempt++) {
    open[0]?.fail(new ChatRefused('no_chat', 'not live'))
    await pass(29_000)
    expect(open).toHaveLength(0)
    await pass(1_500)
    expect(open).toHaveLength(1)
  }
  open[0]?.fail(new ChatRefused('no_chat', 'not live'))
  await pass(590_000)
  expect(open).toHaveLength(0)
  await pass(15_000)
  expect(open).toHaveLength(1)
  await supervisor.close()
})

test('a used-up quota waits until it is renewed', async () => {
  const store = createMemoryStore([placeOf('a')])
  const { open, supervisor } = start(store)
  await pass(100)
  open[0]?.fail(new QuotaGone(new Date(Date.now() + 3_600_000)))
  await pass(3_590_000)
  expect(open).toHaveLength(0)
  await pass(20_000)
  expect(open).toHaveLength(1)
  await supervisor.close()
})

test('a holder without a database for more than 10 s closes its connections', async () => {
  const store = createMemoryStore([placeOf('a')])
  const { open, supervisor } = start(store)
  await pass(100)
  store.isDown = true
  await pass(20_000)
  expect(open).toHaveLength(0)
  store.isDown = false
  await pass(20_000)
  expect(open).toHaveLength(1)
  await supervisor.close()
})

test('stopping writes what was read and releases the lease', async () => {
  const store = createMemoryStore([placeOf('a')])
  const { open, supervisor } = start(store)
  await pass(100)
  open[0]?.say(messageEvent('last'))
  await pass(1)
  const closing = supervisor.close()
  await pass(1_000)
  await closing
  expect(idsOf(store)).toEqual(['last'])
  expect(await store.claim(placeOf('a'), 'next')).toMatchObject({ since: null })
})

test.each([
  ['releases a lease that was claimed while it stopped', null, 0],
  ['keeps the gap of a dead reader whose lease was claimed while it stopped', 'dead', 15_000],
] as const)('stopping %s', async (_, earlier, expiresMs) => {
  const store = createMemoryStore([placeOf('a')])
  if (earlier) await store.claim(placeOf('a'), earlier)
  await pass(earlier ? 15_000 : 0)
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const claim: MemoryStore['claim'] = async (...of) => {
    asked.resolve()
    await answered.promise
    return store.claim(...of)
  }
  const { open, supervisor } = start({ ...store, claim })
  await asked.promise
  const closing = supervisor.close()
  answered.resolve()
  await closing
  expect(open).toHaveLength(0)
  await pass(expiresMs)
  const next = await store.claim(placeOf('a'), 'next')
  expect(next).toMatchObject({ since: earlier ? expect.any(Date) : null })
})

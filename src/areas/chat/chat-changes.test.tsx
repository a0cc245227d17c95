// Clients of a chat that two replicas change: batches are delayed, doubled and lost, and the list has what the database has.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatBatch, ChatChange } from '#contract/events/chat.ts'
import { changesOf, ChatOrder, isDeletedBy, starAfter } from '#contract/events/chat-order.ts'
import { chatActs, chatReplicas } from '#server/testing/chat-replicas.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { createMessageLog } from '#src/components/message-list/message-log.ts'
import { eventsOf, readBatch } from './feed.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.oneof({ weight: 4, arbitrary: fc.constant('say' as const) }, fc.constantFrom(...chatActs)),
      replica: fc.nat(1),
      which: fc.nat(20),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('deliver', 'double', 'lose'), which: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('load', 'read', 'flush'), which: fc.integer({ min: 1, max: 6 }) }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Time after which a replica has published its changes, milliseconds. */
const flushMs = 120

/** A page that applies the rule. */
function client() {
  const log = createMessageLog()
  const order = new ChatOrder()
  let star = { starred: null as string | null, star_rev: 0 }
  const known: ChatChange[] = []
  const texts = () => log.view().live.flatMap((row) => (row.kind === 'message' ? [row.message, ...row.same] : []))
  return {
    order,
    star: () => star,
    shown: () => texts().filter(({ deleted }) => !deleted),
    load: (messages: Parameters<typeof log.load>[0]) => log.load(messages),
    /** Remembers what the client received. */
    hear: (changes: readonly ChatChange[]) => void known.push(...changes),
    apply(changes: readonly ChatChange[]): void {
      log.receive(eventsOf(changes, () => 'twitch'))
      star = starAfter(star, changes)
    },
    /** No shown text has a deletion that the client received. */
    check(): void {
      for (const message of texts().filter(({ text }) => text !== ''))
        expect(known.filter((change) => isDeletedBy(change, message))).toEqual([])
    },
  }
}

async function run(steps: readonly Step[]): Promise<void> {
  const on = await chatReplicas(world)
  const page = client()
  /** Batches that are under way. */
  const flying: ChatBatch[] = []
  const take = () => flying.push(...on.sent.splice(0))
  const deliver = (data: unknown) => {
    const batch = readBatch(data)
    if (!batch) throw new Error('The page does not read a batch')
    page.hear(batch.payload)
    page.apply(page.order.take(batch))
  }
  async function read(limit: number): Promise<boolean> {
    const answer = await on.changes(page.order.mine ?? 0, limit)
    page.hear(changesOf(answer))
    page.apply([...changesOf(answer), ...page.order.reach(answer.upto)])
    return answer.upto >= answer.last
  }
  async function load(): Promise<void> {
    if (page.order.mine !== null) return
    const { items, rev } = await on.messages()
    page.load(items)
    page.apply(page.order.reach(rev))
  }

  async function play(one: Step): Promise<void> {
    if ('replica' in one) await on.act(one.do, one.replica, one.which)
    take()
    const at = one.which % Math.max(flying.length, 1)
    const batch = flying[at]
    if (batch && (one.do === 'deliver' || one.do === 'double')) deliver(batch)
    if (one.do === 'deliver' || one.do === 'lose') flying.splice(at, 1)
    if (one.do === 'load') await load()
    if (one.do === 'read' && page.order.mine !== null) await read(one.which)
    if (one.do === 'flush') await new Promise((resolve) => setTimeout(resolve, flushMs))
    page.check()
  }

  for (const one of steps) await play(one)
  await new Promise((resolve) => setTimeout(resolve, flushMs))
  take()
  await load()
  for (const batch of flying.splice(0)) {
    deliver(batch)
    page.check()
  }
  while (!(await read(500)));
  page.check()
  const { items } = await on.messages()
  const visible = items.filter(({ deleted }) => !deleted)
  expect(page.shown().map(({ event_id, text, rev }) => ({ event_id, text, rev }))).toEqual(
    visible.map(({ event_id, text, rev }) => ({ event_id, text, rev })),
  )
  expect(page.star().starred).toBe(await on.starred())
  expect(page.order.isBehind).toBe(false)
}

test('invariant 5: a page has what the database has, and shows no text whose deletion it received', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), run), {
    numRuns: process.env['NIGHTLY'] ? 300 : 25,
    seed: 20_261_123,
  })
})

// Invariants 1, 2, 5 and 7 over random orders of messages, deletions and floods of two chats, and of readers of the list.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chat } from '#contract/areas/chat/chat.ts'
import type { ChatChange } from '#contract/events/chat.ts'
import { isDeletedBy } from '#contract/events/chat-order.ts'
import { createChatQueue } from '#server/chat/queue.ts'
import { deletedFilter } from '#server/chat/deleted-filter.ts'
import type { ChatEvent } from '#server/core/chat.ts'
import { listRestreams } from '#server/domain/broadcasts/store.ts'
import { newChannel } from '#server/testing/channels.ts'
import { someMessage, someReader } from '#server/testing/chat.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

let world: World
/** Published changes of all broadcasts. */
let published: { readonly id: number; readonly change: ChatChange }[]
beforeAll(async () => {
  world = await testApp()
  const { realtime } = world.services
  const publish: typeof realtime.publish = (channel, data) => {
    if (channel.type === 'broadcast' && 'event' in data && data.event === 'messages')
      published.push(...data.payload.map((change) => ({ id: channel.id, change })))
    realtime.publish(channel, data)
  }
  Object.assign(world.services, { realtime: { ...realtime, publish } })
})
afterAll(() => world.close())

const which = fc.integer({ min: 0, max: 1 })
const id = fc.integer({ min: 0, max: 11 })
const author = fc.integer({ min: 0, max: 2 })
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('say' as const), which, ids: fc.array(id, { maxLength: 9 }), author }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), which, id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), which, author: fc.option(author) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('write' as const), which, max: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), at: fc.nat() }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** A project on air with two chats. */
async function scene() {
  const ann = await world.user()
  const node = someNodeOf(world, `model ${ann.id}`)
  const { broadcast_id } = await beginBroadcast(world, ann, node)
  for (const name of ['One', 'Two']) await node.channel(ann.projectId, await newChannel(world, ann, { name }), 'live')
  const restreams = await listRestreams(world.app.db, [broadcast_id])
  const chats = []
  for (const [at, { id: restreamId }] of restreams.entries()) {
    // The ids of the second platform are unique within the source only: both chats use the same ones.
    const source = `${at === 0 ? 'twitch' : 'vk'}:${restreamId}`
    const reader = await someReader(world, { broadcastId: broadcast_id, restreamId, source })
    chats.push({
      reader,
      restreamId,
      queue: createChatQueue({ count: 6, bytes: 1e6 }),
      filter: deletedFilter(),
      sent: 0,
    })
  }
  return { ann, broadcast_id, chats }
}

/** Texts are unique, so that a search for one finds its message only. */
const textOf = (at: number, n: number, by: number) => `secret ${at}-${n}-${by}.`

/** A scene that steps change, and what they did. */
async function stage() {
  const { ann, broadcast_id, chats } = await scene()
  /** Beginnings of texts that were deleted. */
  const deleted = new Set<string>()
  /** Ids that left the queue, by chat, and the number of messages that did and that did not. */
  const taken = chats.map(() => ({ ids: new Set<string>(), messages: 0, skipped: 0 }))
  /** Messages that a client read with `after`. */
  const seen: string[] = []
  let after = 0
  const read = async (more: object) => (await world.api(chat.messages, { broadcast_id, ...more }, { as: ann })).body
  return {
    broadcast_id,
    chats,
    deleted,
    taken,
    seen,
    read,
    /** Passes an event to the queue, as a reader does. */
    push(at: number, event: ChatEvent): void {
      const one = chats[at]
      if (!one || !one.filter(event)) return
      if (event.is === 'message') one.sent++
      one.queue.push(event)
    },
    /** Stores events of the queue. */
    async write(at: number, max = 1_000): Promise<void> {
      const batch = chats[at]?.queue.take(max) ?? []
      const counts = taken[at]
      for (const event of counts ? batch : []) {
        if (event.is === 'message') counts?.ids.add(event.message.id)
        if (counts && event.is === 'message') counts.messages++
        if (counts && event.is === 'skipped') counts.skipped += event.count
      }
      if (batch.length > 0) await chats[at]?.reader.store(...batch)
    },
    /** Reads the next messages. @returns how many */
    async readOn(limit: number): Promise<number> {
      const { items } = await read({ after, limit })
      seen.push(...items.map(({ event_id }) => event_id))
      after = items.at(-1)?.seq ?? after
      return items.length
    },
    /** Deletes one of the newest messages here. */
    async remove(at: number): Promise<void> {
      const { items } = await read({ limit: 500 })
      const item = items[at % Math.max(items.length, 1)]
      if (!item || item.deleted) return
      await world.api(chat.remove, { broadcast_id, event_id: item.event_id }, { as: ann })
      deleted.add(item.text.replace('secret ', ''))
    },
  }
}
type Stage = Awaited<ReturnType<typeof stage>>

async function play(on: Stage, one: Step): Promise<void> {
  if (one.do === 'say')
    for (const n of one.ids) {
      const sender = { id: `viewer-${one.author}`, name: 'V', badges: [], roles: [] }
      const message = someMessage(`${n}`, textOf(one.which, n, one.author), { sender })
      on.push(one.which, { is: 'message', message })
    }
  else if (one.do === 'delete') {
    on.push(one.which, { is: 'deleted', id: `${one.id}` })
    on.deleted.add(`${one.which}-${one.id}-`)
  } else if (one.do === 'clear')
    on.push(one.which, { is: 'cleared', ...(one.author === null ? {} : { senderId: `viewer-${one.author}` }) })
  else if (one.do === 'write') await on.write(one.which, one.max)
  else if (one.do === 'read') await on.readOn(one.limit)
  else await on.remove(one.at)
}

const rowsOf = (broadcastId: number) =>
  world.app.db.selectFrom('chat_messages').selectAll().where('broadcast_id', '=', broadcastId).execute()

async function checkTexts({ broadcast_id, deleted, read }: Stage): Promise<void> {
  const everything = JSON.stringify([await rowsOf(broadcast_id), await read({ limit: 500, hidden: true })])
  for (const text of deleted) expect(everything, 'invariant 5').not.toContain(`secret ${text}`)
  expect((await read({ q: 'secret', limit: 500 })).items.every((item) => !item.deleted)).toBe(true)
  const gone = new Set<string>()
  const rows: Extract<ChatChange, { action: 'got' }>[] = []
  for (const { change } of published.filter((one) => one.id === broadcast_id)) {
    if (change.action === 'deleted') gone.add(change.event_id)
    for (const row of rows) if (isDeletedBy(change, row)) gone.add(row.event_id)
    if (change.action === 'got') rows.push(change)
    if (change.action === 'got') expect(gone.has(change.event_id), 'invariant 5, published').toBe(false)
  }
}

async function checkCounts({ chats, taken, broadcast_id }: Stage): Promise<void> {
  const rows = await rowsOf(broadcast_id)
  for (const [at, { restreamId, sent }] of chats.entries()) {
    const stored = rows.filter(({ restream_id }) => restream_id === restreamId)
    const count = await world.app.db
      .selectFrom('chat_counts')
      .selectAll()
      .where('restream_id', '=', restreamId)
      .executeTakeFirst()
    const { ids = [], messages = 0, skipped = 0 } = taken[at] ?? {}
    expect(messages + skipped, 'invariant 7').toBe(sent)
    expect(new Set(stored.map(({ platform_id }) => platform_id)), 'invariant 7').toEqual(new Set(ids))
    expect([count?.received ?? 0, count?.skipped ?? 0]).toEqual([stored.length, skipped])
  }
}

async function run(steps: readonly Step[]): Promise<void> {
  published = []
  const on = await stage()
  for (const one of steps) await play(on, one)
  await on.write(0)
  await on.write(1)
  while ((await on.readOn(3)) > 0);
  const rows = await rowsOf(on.broadcast_id)
  const keys = rows.map(({ platform_key }) => platform_key)
  expect(new Set(keys).size, 'invariant 1').toBe(keys.length)
  expect(on.seen.toSorted(), 'invariant 2').toEqual(rows.map(({ event_id }) => event_id).toSorted())
  await checkTexts(on)
  await checkCounts(on)
}

test('invariants 1, 2, 5 and 7 hold for any order of messages, deletions, floods and reads', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), run), {
    numRuns: process.env['NIGHTLY'] ? 300 : 15,
    seed: 20_261_122,
  })
})

// A flood of a chat through the real reader, and a database that fails: every message is stored or counted.
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { someAddress, someKey } from '#server/testing/channels.ts'
import { type TwitchChatDouble, twitchChatDouble } from '#server/testing/chat/twitch.ts'
import { eventually } from '#server/testing/eventually.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { registeredAt } from '#server/testing/providers/connected.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

const isSqlite = !process.env['DATABASE_URL']
let double: TwitchChatDouble
let world: World
let ann: Person
let broadcast_id: number

beforeEach(async () => {
  double = await twitchChatDouble()
  world = await testApp(registeredAt(double.base))
  world.clock.set(new Date())
  ann = await world.user()
  const input = { project_id: ann.projectId, type: 'twitch', name: 'Ann', rtmp_url: someAddress } as const
  const more = { stream_key: someKey, channel_url: 'https://www.twitch.tv/Ann' }
  const { body } = await world.api(addChannel.any, { ...input, ...more }, { as: ann })
  const node = someNodeOf(world)
  ;({ broadcast_id } = await beginBroadcast(world, ann, node))
  await node.channel(ann.projectId, body.channel_id, 'live')
  await world.api(chat.watch, { project_id: ann.projectId }, { as: ann })
  const state = async () => (await world.api(chat.capabilities, { broadcast_id }, { as: ann })).body.results[0]?.state
  await eventually(async () => (await state()) === 'reading')
})
afterEach(async () => {
  await world.close()
  await double.close()
})

const counts = async () =>
  (await world.app.db.selectFrom('chat_counts').selectAll().executeTakeFirst()) ?? { received: 0, skipped: 0 }
const rows = () => world.app.db.selectFrom('chat_messages').selectAll().execute()
const gaps = () => world.app.db.selectFrom('chat_gaps').selectAll().execute()
const total = async () => {
  const { received, skipped } = await counts()
  return received + skipped
}

/** More than the queue of a reader takes. */
const flood = process.env['NIGHTLY'] ? 10_000 : 4_000

test('scenario 4: of a flood all paid messages and deletions are kept, and the others are stored or counted', async () => {
  const deleted: string[] = []
  for (let at = 0; at < flood; at++) {
    const id = double.irc.say('ann', `text ${at}`, at % 100 === 0 ? { tags: { bits: '100' } } : {})
    if (at % 800 === 799) {
      double.irc.clearMessage('ann', id)
      deleted.push(id)
    }
  }
  await eventually(async () => (await total()) === flood)
  const stored = await rows()
  expect(stored.filter(({ kind }) => kind === 'paid')).toHaveLength(flood / 100)
  const isErased = async () =>
    (await rows()).every(({ platform_id, text }) => text === '' || !deleted.includes(platform_id ?? ''))
  await eventually(isErased)
  expect(new Set(stored.map(({ platform_id }) => platform_id)).size).toBe((await counts()).received)
  expect(await gaps()).toEqual([])
})

/** Lets the database take no messages. @returns a function that ends it */
async function stall(): Promise<() => Promise<void>> {
  if (isSqlite) {
    const limit = async (pages: number) => {
      const { rows: found } = await sql<{ page_count: number }>`pragma page_count`.execute(world.app.db)
      await sql.raw(`pragma max_page_count = ${(found[0]?.page_count ?? 0) + pages}`).execute(world.app.db)
    }
    await limit(0)
    return () => limit(10_000)
  }
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const done = world.app.db.transaction().execute(async (trx) => {
    await sql`lock table chat_messages in access exclusive mode`.execute(trx)
    held.resolve()
    await release.promise
  })
  await held.promise
  return async () => {
    release.resolve()
    await done
  }
}

test('invariant 7: a database that is full or locked for a while loses no message without counting it', async () => {
  const end = await stall()
  for (let at = 0; at < 3_000; at++) double.irc.say('ann', `text ${at} ${'x'.repeat(200)}`)
  if (isSqlite) await eventually(() => world.logged.some((line) => line.includes('Chat events could not be stored')))
  else
    await eventually(
      async () => (await sql`select 1 from pg_locks where not granted`.execute(world.app.db)).rows.length > 0,
    )
  await end()
  await eventually(async () => (await total()) === 3_000)
  const stored = await rows()
  expect(new Set(stored.map(({ platform_id }) => platform_id)).size).toBe(stored.length)
  expect(await gaps()).toEqual([])
})

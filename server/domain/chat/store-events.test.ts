// Storage of received messages: order, duplicates, epochs, deletions, retention.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { chat } from '#contract/areas/chat/chat.ts'
import { listRestreams } from '#server/domain/broadcasts/store.ts'
import { newChannel } from '#server/testing/channels.ts'
import { chatOnAir, someMessage, someReader } from '#server/testing/chat.ts'
import { beginBroadcast } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { countReceived } from './counts.ts'
import { upsertFeeds } from './readers-store.ts'
import { removeOldChat } from './retention.ts'
import { changeSettings } from './settings.ts'
import { ReaderFenced } from './store-events.ts'
import { claimReader, releaseReader, renewReaders, reconcilePlaces, watchChat } from './wanted.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const scene = () => chatOnAir(world)

const read = async (ann: Person, broadcast_id: number, more: object = {}) =>
  (await world.api(chat.messages, { broadcast_id, ...more }, { as: ann })).body

const rowsOf = (broadcastId: number) =>
  world.app.db.selectFrom('chat_messages').selectAll().where('broadcast_id', '=', broadcastId).orderBy('seq').execute()

test('invariant 1: stores a platform id once per broadcast, in any order and batching', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 6 }), { maxLength: 6 }),
      async (batches) => {
        const { broadcastId, restreamId, reader } = await scene()
        for (const ids of batches) await reader.say(...ids.map((id) => someMessage(String(id), `text ${id}`)))
        const ids = (await rowsOf(broadcastId)).map(({ platform_id }) => platform_id)
        const sent = new Set(batches.flat().map(String))
        expect(ids).toHaveLength(sent.size)
        expect(new Set(ids)).toEqual(sent)
        expect((await countReceived(world.app.db, [broadcastId])).get(restreamId) ?? 0).toBe(sent.size)
      },
    ),
    { numRuns: 8 },
  )
})

test('invariant 2: after= in a loop returns every message once while others are stored', async () => {
  const { ann, broadcastId, reader, node } = await scene()
  await node.channel(ann.projectId, await newChannel(world, ann, { name: 'Other' }), 'live')
  const second = (await listRestreams(world.app.db, [broadcastId]))[1]?.id ?? 0
  const other = await someReader(world, { broadcastId, restreamId: second })
  const writing = Promise.all(
    [reader, other].map(async (one, index) => {
      for (let batch = 0; batch < 10; batch++)
        await one.say(...[0, 1, 2].map((n) => someMessage(`${index}-${batch}-${n}`, 'text')))
    }),
  )
  const seen: string[] = []
  let after = 0
  let isDone = false
  void writing.then(() => (isDone = true))
  for (;;) {
    const wasDone = isDone
    const { items } = await read(ann, broadcastId, { after, limit: 7 })
    seen.push(...items.map(({ event_id }) => event_id))
    after = items.at(-1)?.seq ?? after
    if (wasDone && items.length === 0) break
  }
  expect(seen).toHaveLength(60)
  expect(new Set(seen).size).toBe(60)
  expect((await read(ann, broadcastId)).total).toBe(60)
})

test('invariant 3: refuses the batch of a holder whose lease another one has taken', async () => {
  const { broadcastId, reader } = await scene()
  await reader.say(someMessage('1', 'first'))
  const { db } = world.app
  expect(await claimReader(db, { source: reader.source, platform: 'twitch', holder: 'other' })).toBeNull()
  expect(await renewReaders(db, 'test', [reader])).toEqual(new Set([reader.source]))
  await db.updateTable('owners').set({ until: 0 }).where('key', '=', reader.source).execute()
  const next = await claimReader(db, { source: reader.source, platform: 'twitch', holder: 'other' })
  expect(next).toMatchObject({ epoch: reader.epoch + 1 })
  expect(next?.gapSince).not.toBeNull()
  await expect(reader.say(someMessage('2', 'late'))).rejects.toThrow(ReaderFenced)
  expect((await rowsOf(broadcastId)).map(({ platform_id }) => platform_id)).toEqual(['1'])
  expect(await renewReaders(db, 'test', [reader])).toEqual(new Set())
})

test('invariant 5: no response or row has the text of a deleted message', async () => {
  const { ann, broadcastId, reader } = await scene()
  const secret = 'zaphod-secret'
  await reader.say(someMessage('1', secret), someMessage('2', 'stays'), someMessage('3', secret))
  await reader.store({ is: 'deleted', id: '1' })
  const { items } = await read(ann, broadcastId)
  const third = items.find(({ restreams }) => restreams[0]?.id === '3')
  const of = { broadcast_id: broadcastId, event_id: third?.event_id ?? '' }
  const removed = await world.api(chat.remove, of, { as: ann })
  expect(removed.body).toMatchObject({ success: true, results: [{ done: 'here' }] })
  expect(JSON.stringify(await rowsOf(broadcastId))).not.toContain(secret)
  expect(JSON.stringify(await read(ann, broadcastId, { hidden: true }))).not.toContain(secret)
  expect((await world.api(chat.message, of, { as: ann })).body).toMatchObject({ deleted: true, text: '' })
  // A repeated id does not bring the text back.
  await reader.say(someMessage('1', secret))
  expect(JSON.stringify(await rowsOf(broadcastId))).not.toContain(secret)
})

test('scenario 4: counts skipped messages exactly, and keeps deletions of a flood', async () => {
  const { ann, broadcastId, restreamId, reader } = await scene()
  const flood = Array.from(
    { length: 2_000 },
    (_, n) => ({ is: 'message', message: someMessage(String(n), `flood ${n}`) }) as const,
  )
  await reader.store(...flood, { is: 'skipped', count: 120 }, { is: 'deleted', id: '7' })
  await reader.store({ is: 'skipped', count: 3 })
  const row = await world.app.db
    .selectFrom('chat_counts')
    .selectAll()
    .where('restream_id', '=', restreamId)
    .executeTakeFirst()
  expect(row).toMatchObject({ received: 2_000, skipped: 123 })
  expect((await read(ann, broadcastId, { q: 'FLOOD 7', limit: 500 })).items.map(({ text }) => text)).not.toContain(
    'flood 7',
  )
})

test('stores delayed messages of an ended broadcast, and those after its end in the next one only', async () => {
  const { ann, node, broadcastId, restreamId, reader } = await scene()
  world.clock.advance(60_000)
  await node.end(ann.projectId)
  const end = world.clock.now().getTime()
  world.clock.advance(5_000)
  const { broadcast_id: nextId } = await beginBroadcast(world, ann, node)
  const { channel_id } = await world.app.db
    .selectFrom('restreams')
    .select('channel_id')
    .where('id', '=', restreamId)
    .executeTakeFirstOrThrow()
  await node.channel(ann.projectId, channel_id, 'live')
  const next = (await listRestreams(world.app.db, [nextId]))[0]?.id ?? 0
  await upsertFeeds(world.app.db, [{ restream_id: next, broadcast_id: nextId, source: reader.source }])
  const at = (text: string, ms: number) => someMessage(text, text, { createdAt: new Date(end + ms) })
  await reader.say(at('delayed', -1_000), at('next', 6_000))
  expect((await rowsOf(broadcastId)).map(({ text }) => text)).toEqual(['delayed'])
  expect((await rowsOf(nextId)).map(({ text }) => text)).toContain('next')
})

test('mutes an author again when as many are muted as a project may have', async () => {
  const { ann } = await scene()
  const { projectId } = ann
  const row = (n: number) => ({
    project_id: projectId,
    platform: 'twitch' as const,
    author_id: `author-${n}`,
    name: 'Name',
    date_create: world.clock.now().toISOString(),
  })
  await world.app.db
    .insertInto('chat_muted')
    .values(Array.from({ length: 1_000 }, (_, n) => row(n)))
    .execute()
  const muting = (sender_id: string) =>
    changeSettings(world.services, projectId, { mute: { platform: 'twitch', sender_id, name: 'Name' } })
  expect((await muting('author-7')).muted).toHaveLength(1_000)
  await expect(muting('other')).rejects.toMatchObject({ name: 'TooManyMuted' })
})

test('stores U+0000, unpaired surrogates and controls of the direction as plain text', async () => {
  const { ann, broadcastId, reader } = await scene()
  const sender = { id: 'x\0', name: 'A\u202Eb\0', badges: [], roles: [] }
  await reader.say(someMessage('\0 1', 'a\0b\uD800\u202E', { sender }))
  const { items } = await read(ann, broadcastId)
  expect(items[0]).toMatchObject({ text: 'ab\uFFFD', sender: { id: 'x', name: 'Ab' } })
})

test('clears thousands of messages of an author by few statements and one small change', async () => {
  const { broadcastId, restreamId, reader } = await scene()
  const paid = { amount: 5, currency: 'EUR', text: 'secret' }
  const other = { id: 'viewer-2', name: 'Other', badges: [], roles: [] }
  await reader.say(...Array.from({ length: 3_000 }, (_, at) => someMessage(`${at}`, `secret ${at}`)))
  await reader.say(
    someMessage('paid', 'secret', { kind: 'paid', paid }),
    someMessage('kept', 'kept', { sender: other }),
  )
  const publish = vi.spyOn(world.services.realtime, 'publish')
  publish.mockClear()
  await reader.store({ is: 'cleared', senderId: 'viewer-1' })
  const change = { action: 'cleared', restream_id: restreamId, sender_id: 'viewer-1' }
  const changes = () => publish.mock.calls.flatMap(([, data]) => (data as { payload: unknown[] }).payload)
  await vi.waitFor(() => expect(changes()).toContainEqual(expect.objectContaining(change)))
  publish.mockRestore()
  const rows = await rowsOf(broadcastId)
  expect(JSON.stringify(rows)).not.toContain('secret')
  expect(rows.filter(({ date_delete }) => date_delete === null).map(({ text }) => text)).toEqual(['kept'])
  expect(JSON.parse(rows.at(-2)?.body ?? '')).toMatchObject({ paid: { ...paid, text: '' }, sender: { id: 'viewer-1' } })
})

test('removes messages after the days that are kept, and keeps counts', async () => {
  const { ann, broadcastId, restreamId, reader } = await scene()
  await reader.say(someMessage('1', 'old'))
  world.clock.advance(31 * 86_400_000)
  await reader.say(someMessage('2', 'new'))
  await removeOldChat(world.services)
  const as = await world.signIn(ann)
  const { items, total } = await read(as, broadcastId)
  expect([items.map(({ text }) => text), total]).toEqual([['new'], 1])
  expect((await countReceived(world.app.db, [broadcastId])).get(restreamId)).toBe(2)
})

test('wants the chat of a channel with a page while it is watched', async () => {
  const { ann, restreamId, reader } = await scene()
  const channel = world.app.db.updateTable('channels').where('owner_project_id', '=', ann.projectId)
  await channel.set({ type: 'twitch', channel_url: 'https://www.twitch.tv/Some_One' }).execute()
  const sources = async () => (await reconcilePlaces(world.services)).places.map(({ source }) => source)
  expect(await sources()).not.toContain('twitch:@some_one')
  await watchChat(world.services, ann.projectId)
  expect(await sources()).toContain('twitch:@some_one')
  const feed = await world.app.db.selectFrom('chat_feeds').selectAll().where('restream_id', '=', restreamId).execute()
  expect(feed).toMatchObject([{ source: 'twitch:@some_one' }])
  world.clock.advance(121_000)
  expect(await sources()).not.toContain('twitch:@some_one')
  await releaseReader(world.app.db, reader.source, reader.epoch)
  expect(await claimReader(world.app.db, { ...reader, platform: 'twitch', holder: 'next' })).toMatchObject({
    gapSince: null,
  })
})

// Lists of messages: search in slices, and pages that are limited by bytes.
import { setImmediate } from 'node:timers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chat } from '#contract/areas/chat/chat.ts'
import { chatOnAir, someMessage } from '#server/testing/chat.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { listPage } from './list.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

type Scene = Awaited<ReturnType<typeof chatOnAir>>
type Search = Partial<Parameters<typeof world.api<typeof chat.messages>>[1]>

/** Stores messages with these texts. */
async function say({ reader }: Scene, texts: readonly string[], more: Parameters<typeof someMessage>[2] = {}) {
  for (let at = 0; at < texts.length; at += 500)
    await reader.say(...texts.slice(at, at + 500).map((text, n) => someMessage(`${at + n}`, text, more)))
}
const search = async ({ ann, broadcastId: broadcast_id }: Scene, input: Search) =>
  (await world.api(chat.messages, { broadcast_id, ...input }, { as: ann })).body
const textsOf = async (scene: Scene, input: Search) => (await search(scene, input)).items.map(({ text }) => text)

test('finds messages in all slices, in both directions, up to the limit', async () => {
  const scene = await chatOnAir(world)
  const texts = Array.from({ length: 1_700 }, (_, n) => (n % 170 === 5 ? `Needle ${n}` : `Hay ${n}`))
  const needles = texts.filter((text) => text.startsWith('Needle'))
  await say(scene, texts)
  expect(await search(scene, { q: 'nEEdle' })).toMatchObject({ more: false, total: 1_700 })
  expect(await textsOf(scene, { q: 'needle' })).toEqual(needles)
  expect(await search(scene, { q: 'needle', limit: 3 })).toMatchObject({ more: true })
  expect(await textsOf(scene, { q: 'needle', limit: 3 })).toEqual(needles.slice(-3))
  expect(await textsOf(scene, { q: 'needle', limit: 3, after: 0 })).toEqual(needles.slice(0, 3))
  const { items } = await search(scene, { q: 'needle' })
  const [third, sixth] = [items[2]!.seq, items[5]!.seq]
  expect(await textsOf(scene, { q: 'needle', before: third })).toEqual(needles.slice(0, 2))
  expect(await textsOf(scene, { q: 'needle', after: third, before: sixth })).toEqual(needles.slice(3, 5))
  expect(await textsOf(scene, { q: 'needle', before: 2_147_483_647 })).toEqual(needles)
  expect(await textsOf(scene, { q: 'needle', after: 2_000_000_000 })).toEqual([])
  expect(await textsOf(scene, { q: 'no such text' })).toEqual([])
})

test('searches for wildcards as they are, and for compatibility forms by their plain ones', async () => {
  const scene = await chatOnAir(world)
  await say(scene, ['100 %', 'a_b', String.raw`c\d`, 'axb', 'Ｆｕｌｌ', '\uFDFA and \u2026'])
  for (const [q, found] of [
    ['%', '100 %'],
    ['a_b', 'a_b'],
    [String.raw`c\D`, String.raw`c\d`],
    ['full', 'Ｆｕｌｌ'],
    ['\uFDFA', '\uFDFA and \u2026'],
  ] as const)
    expect([q, await textsOf(scene, { q })]).toEqual([q, [found]])
})

test('lets other work run during a search, and stores texts of U+FDFA in their own length', async () => {
  const scene = await chatOnAir(world)
  const { broadcastId } = scene
  await say(
    scene,
    Array.from({ length: 3_000 }, () => '\uFDFA'.repeat(100)),
  )
  const row = await world.app.db
    .selectFrom('chat_messages')
    .select('folded')
    .where('broadcast_id', '=', broadcastId)
    .executeTakeFirstOrThrow()
  expect(row.folded.length).toBeLessThan(120)
  let turns = 0
  let isDone = false
  const turn = () => void (turns++, isDone || setImmediate(turn))
  setImmediate(turn)
  const page = { limit: 1, hidden: false, folded: `${'\uFDFA'.repeat(98)}x` }
  expect((await listPage(world.app.db, broadcastId, page)).rows).toEqual([])
  isDone = true
  expect(turns).toBeGreaterThanOrEqual(5)
})

test('ends a search when its caller is gone', async () => {
  const scene = await chatOnAir(world)
  await say(scene, ['Here'])
  const page = { limit: 1, hidden: false, folded: 'here' }
  const gone = await listPage(world.app.db, scene.broadcastId, page, () => AbortSignal.abort())
  expect(gone.rows).toEqual([])
  const there = await listPage(world.app.db, scene.broadcastId, page, () => new AbortController().signal)
  expect(there.rows).toHaveLength(1)
})

test('a key has 60 searches a minute, and lists without a search have no limit', async () => {
  const limited = await testApp({ RATE_LIMITS: 'on' })
  const { ann, broadcastId: broadcast_id } = await chatOnAir(limited)
  const { key } = (await limited.api(chat.key, { project_id: ann.projectId }, { as: ann })).body
  const statuses = []
  for (let n = 0; n < 61; n++)
    statuses.push((await limited.api(chat.messages, { key, broadcast_id, q: `${n}` })).status)
  expect(statuses).toEqual([...Array<number>(60).fill(200), 429])
  expect((await limited.api(chat.messages, { key, broadcast_id })).status).toBe(200)
  // Callers have searches of their own.
  expect((await limited.api(chat.messages, { broadcast_id, q: 'x' }, { as: ann })).status).toBe(200)
  await limited.close()
})

test('a page of emotes has at most 1 MB, and each message is reached once in both directions', async () => {
  const scene = await chatOnAir(world)
  const emote = { type: 'emoji' as const, id: '25', name: 'Kappa', image: `https://example.com/${'x'.repeat(60)}` }
  await say(
    scene,
    Array.from({ length: 300 }, (_, n) => `Emotes ${n}`),
    { entities: Array.from({ length: 166 }, () => emote) },
  )
  const page = await search(scene, { limit: 500 })
  expect(JSON.stringify(page).length).toBeLessThan(1_100_000)
  expect(page.more).toBe(true)
  expect(page.items.at(-1)?.text).toBe('Emotes 299')

  const walk = async (next: (items: typeof page.items) => Search) => {
    const seen: string[] = []
    let input: Search = next([])
    for (;;) {
      const { items, more } = await search(scene, { limit: 500, ...input })
      seen.push(...items.map(({ text }) => text))
      if (more !== true) return seen
      input = next(items)
    }
  }
  const all = Array.from({ length: 300 }, (_, n) => `Emotes ${n}`)
  expect(await walk((items) => ({ after: items.at(-1)?.seq ?? 0 }))).toEqual(all)
  expect(new Set(await walk((items) => (items[0] ? { before: items[0].seq } : {})))).toEqual(new Set(all))
})

test('a message that is larger than a page is a page', async () => {
  const scene = await chatOnAir(world)
  await say(scene, ['Small'])
  await world.app.db
    .updateTable('chat_messages')
    .set((eb) => ({
      body: eb.fn<string>('replace', ['body', eb.val('"Small"'), eb.val(`"${'x'.repeat(1_500_000)}"`)]),
    }))
    .where('broadcast_id', '=', scene.broadcastId)
    .execute()
  const { items, more } = await search(scene, {})
  expect([items.length, more]).toEqual([1, false])
})

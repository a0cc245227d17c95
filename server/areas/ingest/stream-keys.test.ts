// The stream key of a project through the real edge, and as the relay finds the project by it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { readDesired } from '#server/domain/broadcasts/desired.ts'
import { findProjectByStreamKey } from '#server/domain/ingest/stream-keys.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let me: Person
let inMine: { project_id: number }
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())
beforeEach(async () => {
  me = await world.user()
  inMine = { project_id: me.projectId }
})

const keyOf = async (as = me) => (await world.api(streamKeys.get, inMine, { as })).body
const find = (key: string) => findProjectByStreamKey(world.services, key)
const history = () =>
  world.app.db
    .selectFrom('project_history')
    .select(['action', 'user_id', 'details'])
    .where('project_id', '=', me.projectId)
    .orderBy('id')
    .execute()

test('a project has one key from the beginning, and the relay finds the project by it', async () => {
  const first = await keyOf()
  expect(first).toMatchObject({ masked: false, record: false, wait: 1, hold: false, wait_max_minutes: 5 })
  expect(first.key).toMatch(/^[0-9a-f]{32}$/)
  expect(await keyOf()).toEqual(first)
  expect(await find(first.key)).toEqual({ projectId: me.projectId, isRecorded: false, isHeld: false, waitMinutes: 1 })
  expect(await find(`${first.key}0`)).toBeNull()
  expect(await find('')).toBeNull()
})

test('returns the same key to two concurrent first calls', async () => {
  const [one, other] = await Promise.all([keyOf(), keyOf()])
  expect(one.key).toBe(other.key)
})

test('refuses a replaced key immediately, and records the user without the key', async () => {
  const { key: old } = await keyOf()
  const { body, status } = await world.api(streamKeys.rotate, inMine, { as: me })
  expect(status).toBe(201)
  expect(body.key).not.toBe(old)
  expect((await keyOf()).key).toBe(body.key)
  expect(await find(old)).toBeNull()
  expect(await find(body.key)).toMatchObject({ projectId: me.projectId })
  expect(await history()).toEqual([{ action: 'stream_key_rotated', user_id: me.id, details: null }])
})

test('a viewer sees the end of the key and changes nothing; an editor sees and rotates it', async () => {
  const viewer = await world.user('Viewer')
  const editor = await world.user('Editor')
  await world.join(viewer, me.projectId, 0)
  await world.join(editor, me.projectId, 1)
  const { key } = await keyOf()
  expect(await keyOf(viewer)).toMatchObject({ key: `••••${key.slice(-4)}`, masked: true })
  expect((await keyOf(editor)).key).toBe(key)
  const refused = [
    await world.api(streamKeys.rotate, inMine, { as: viewer }),
    await world.api(streamKeys.setRecord, { ...inMine, record: true }, { as: viewer }),
    await world.api(streamKeys.setWait, { ...inMine, wait_minutes: 2 }, { as: viewer }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
  expect((await world.api(streamKeys.rotate, inMine, { as: editor })).status).toBe(201)
  const stranger = await world.user('Stranger')
  expect((await world.api(streamKeys.get, inMine, { as: stranger })).status).toBe(403)
})

test('recording and waiting are kept, and reach the relay with the key', async () => {
  await world.api(streamKeys.setRecord, { ...inMine, record: true }, { as: me })
  await world.api(streamKeys.setWait, { ...inMine, wait_minutes: 0 }, { as: me })
  const now = await keyOf()
  expect(now).toMatchObject({ record: true, wait: 0 })
  expect(await find(now.key)).toMatchObject({ isRecorded: true, waitMinutes: 0 })
  expect((await history()).map(({ action }) => action)).toEqual(['stream_record_on', 'stream_wait'])
})

test('the first wait is for a lost encoder only, a chosen one is for the end of the stream as well', async () => {
  const desired = async () => {
    const { state } = await readDesired(world.services, me.projectId)
    return [state.waitMs, state.holdMs]
  }
  expect(await desired()).toEqual([60_000, 0])
  const set = (values: object) => world.api(streamKeys.setWait, { ...inMine, wait_minutes: 2, ...values }, { as: me })
  await set({})
  expect([await desired(), (await keyOf()).hold]).toEqual([[120_000, 120_000], true])
  await set({ hold: false })
  expect([await desired(), (await keyOf()).hold]).toEqual([[120_000, 0], false])
  await set({ wait_minutes: 0 })
  expect([await desired(), (await keyOf()).hold]).toEqual([[0, 0], false])
})

test('the plan says how long channels wait, and a smaller plan shortens it', async () => {
  const over = await world.api(streamKeys.setWait, { ...inMine, wait_minutes: 30 }, { as: me })
  expect(over.error).toMatchObject({
    name: 'PlanLimitReached',
    data: { limit: 'wait_minutes', value: 5, plan_restream_id: 2, plan_title: 'Start' },
  })
  await world.api(restream.buy, { ...inMine, period: 'month', plan_restream_id: 2 }, { as: me })
  expect((await world.api(streamKeys.setWait, { ...inMine, wait_minutes: 30 }, { as: me })).status).toBe(200)
  expect(await keyOf()).toMatchObject({ wait: 30, wait_max_minutes: 60 })
  const before = world.clock.now()
  world.clock.advance(40 * 86_400_000)
  me = await world.signIn(me)
  const later = await keyOf()
  expect(later).toMatchObject({ wait: 5, wait_max_minutes: 5 })
  expect(await find(later.key)).toMatchObject({ waitMinutes: 5 })
  world.clock.set(before)
})

test('stores no key in plain text, and logs none', async () => {
  const { key } = await keyOf()
  await world.api(streamKeys.rotate, inMine, { as: me })
  const rows = await world.app.db.selectFrom('stream_keys').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(key)
  expect(world.logged.join('')).not.toContain(key)
})

test('reports a key that was sealed with another SECRET, and replaces it', async () => {
  await keyOf()
  await world.app.db
    .updateTable('stream_keys')
    .set({ key_sealed: 'AAAA' })
    .where('project_id', '=', me.projectId)
    .execute()
  expect((await world.api(streamKeys.get, inMine, { as: me })).error?.name).toBe('KeyUnreadable')
  const { body } = await world.api(streamKeys.rotate, inMine, { as: me })
  expect((await keyOf()).key).toBe(body.key)
})

test('the rule for a poor encoder is kept, reaches the relay, and can be taken back', async () => {
  const quality = { kbps: 1_000, ms: 5_000, back_kbps: 1_500, back_ms: 10_000 }
  const set = (value: unknown) => world.api(streamKeys.setQuality, { ...inMine, quality: value as never }, { as: me })
  const desired = async () => (await readDesired(world.services, me.projectId)).state.quality
  expect((await keyOf()).quality).toBeNull()
  expect(await desired()).toBeUndefined()
  expect((await set(quality)).body).toEqual({ success: true })
  expect((await keyOf()).quality).toEqual(quality)
  expect(await desired()).toEqual({ kbps: 1_000, ms: 5_000, backKbps: 1_500, backMs: 10_000 })
  for (const wrong of [
    { ...quality, back_kbps: 1_299 },
    { ...quality, kbps: 99 },
    { ...quality, ms: 2_999 },
    { ...quality, back_ms: 120_001 },
    {},
    undefined,
  ])
    expect((await set(wrong)).status).toBe(400)
  expect((await keyOf()).quality).toEqual(quality)
  expect((await set(null)).status).toBe(200)
  expect(await desired()).toBeUndefined()
  expect(await history()).toMatchObject([
    { action: 'stream_quality', details: JSON.stringify({ kbps: 1_000 }) },
    { action: 'stream_quality', details: JSON.stringify({ kbps: null }) },
  ])
})

// Pull keys through the real edge: as many as the plan gives, with addresses as soon as a server has reported.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { report } from '#server/testing/nodes.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let me: Person
let inMine: { project_id: number }
beforeEach(async () => {
  world = await testApp()
  me = await world.user()
  inMine = { project_id: me.projectId }
})
afterEach(() => world.close())

const upgrade = (planId: number) =>
  world.api(restream.buy, { ...inMine, period: 'month', plan_restream_id: planId }, { as: me })
const create = (name: string, transport: 'rtmp' | 'hls' = 'rtmp') =>
  world.api(pullKeys.create, { ...inMine, transport, name }, { as: me })
const list = async (as = me) => (await world.api(pullKeys.list, inMine, { as })).body

test('the free plan gives none, and the refusal names the plan that does', async () => {
  expect(await list()).toEqual({ results: [], limit: 0, masked: false })
  expect((await create('Studio')).error).toMatchObject({
    name: 'PlanLimitReached',
    data: { limit: 'pull_links', value: 0, plan_restream_id: 2, plan_title: 'Start' },
  })
})

test('keys are made up to the limit, even by two at a time', async () => {
  await upgrade(2)
  const answers = await Promise.all([create('One'), create('Two')])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 400]))
  const { results, limit } = await list()
  expect(limit).toBe(1)
  expect(results).toMatchObject([{ transport: 'rtmp', region: '', shareUrl: '', status: 'inactive' }])
})

test('the address is ready once a pull server has reported, in the region that was chosen', async () => {
  await upgrade(2)
  await create('Studio', 'hls')
  const uuid = (await list()).results[0]?.uuid ?? ''
  await report(world.services)
  await report(world.services, {
    node: 'ams-1',
    city: 'Amsterdam',
    pull: { hls: 'https://ams.example.com/{{key}}.m3u8' },
    load: { network: 60, cpu: 60, ram: 60, delivered: 100 },
  })
  expect((await list()).results[0]?.shareUrl).toBe(`https://fra.example.com/pull/${uuid}/index.m3u8`)
  const change = (input: { region?: string; name?: string }) =>
    world.api(pullKeys.update, { ...inMine, key: uuid, ...input }, { as: me })
  expect((await change({ region: 'Amsterdam' })).status).toBe(200)
  expect((await change({ name: 'Big screen' })).status).toBe(200)
  expect((await list()).results).toMatchObject([
    { name: 'Big screen', region: 'Amsterdam', shareUrl: `https://ams.example.com/${uuid}.m3u8` },
  ])
  expect((await change({ region: 'Atlantis' })).error).toMatchObject({
    name: 'RegionNotFound',
    data: { regions: ['Frankfurt', 'Amsterdam'] },
  })
})

test('a key is checked and taken away by its uuid; afterwards it is nobody’s', async () => {
  await upgrade(2)
  await create('Studio')
  const key = (await list()).results[0]?.uuid ?? ''
  expect((await world.api(pullKeys.check, { ...inMine, key }, { as: me })).body).toEqual({
    transport: 'rtmp',
    status: 'inactive',
    key,
  })
  expect((await world.api(pullKeys.remove, { ...inMine, key }, { as: me })).status).toBe(200)
  expect((await world.api(pullKeys.check, { ...inMine, key }, { as: me })).status).toBe(403)
  expect((await list()).results).toEqual([])
  const history = await world.app.db
    .selectFrom('project_history')
    .selectAll()
    .where('action', 'like', 'pull_%')
    .orderBy('id')
    .execute()
  expect(history.map(({ action }) => action)).toEqual(['pull_key_created', 'pull_key_removed'])
  expect(JSON.stringify(history)).not.toContain(key)
})

test('a viewer sees that there are keys, not which; a stranger has no use for one', async () => {
  await upgrade(2)
  await create('Studio')
  const key = (await list()).results[0]?.uuid ?? ''
  await report(world.services)
  const viewer = await world.user('Viewer')
  await world.join(viewer, me.projectId, 0)
  expect(await list(viewer)).toMatchObject({
    masked: true,
    results: [{ name: 'Studio', uuid: `••••${key.slice(-4)}`, shareUrl: '' }],
  })
  const stranger = await world.user('Stranger')
  const theirs = { project_id: stranger.projectId, key }
  expect((await world.api(pullKeys.check, theirs, { as: stranger })).status).toBe(403)
  expect((await world.api(pullKeys.remove, theirs, { as: stranger })).status).toBe(403)
  const rows = await world.app.db.selectFrom('pull_keys').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(key)
})

// Pull keys through the real edge: as many as the plan gives, with addresses as soon as a server has reported.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { handleEvent } from '#server/domain/broadcasts/broadcasts.ts'
import { admitPlayer } from '#server/domain/broadcasts/pulls.ts'
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

test('checks and removes a key by its uuid', async () => {
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

test('admits players with a key of the transport, while the project is on air at that server', async () => {
  await upgrade(2)
  await create('Studio')
  const row = async () => (await list()).results[0]
  const key = (await row())?.uuid ?? ''
  const ask = (changes: object = {}) =>
    admitPlayer(world.services, { key, address: '192.0.2.9', transport: 'rtmp', node: 'here', ...changes })
  expect(await ask({ key: 'wrong' })).toEqual({ refuse: 'The pull key is not known' })
  expect(await ask({ transport: 'hls' })).toEqual({ refuse: 'The pull key is not known' })
  expect(await ask()).toEqual({ refuse: 'Nothing is on air' })
  expect(await row()).toMatchObject({ status: 'error', viewers: 0 })
  const about = { projectId: me.projectId, at: world.clock.now().getTime() }
  await handleEvent(world.services, 'here', 1, { type: 'source-began', ...about, encoder: 'OBS', address: '192.0.2.1' })
  const id = (await row())?.id ?? 0
  expect(await ask()).toEqual({ keyId: id, projectId: me.projectId })
  expect(await ask({ node: 'elsewhere' })).toEqual({ refuse: 'The stream is at another server' })
  // As soon as it is known where that is, the refusal says it, and the address leads there, though another one is less busy.
  const pull = (host: string) => ({ rtmp: `rtmp://${host}/pull/{{key}}` })
  await report(world.services, { pull: pull('fra.example.com') })
  expect((await row())?.shareUrl).toBe(`rtmp://fra.example.com/pull/${key}`)
  const load = { network: 60, cpu: 60, ram: 60, delivered: 100 }
  const there = {
    node: 'here',
    city: 'Amsterdam',
    rtmp: 'rtmp://ams.example.com/live',
    pull: pull('ams.example.com'),
    load,
  }
  await report(world.services, there)
  expect((await row())?.shareUrl).toBe(`rtmp://ams.example.com/pull/${key}`)
  const refuse = 'The stream is at another server: ams.example.com (Amsterdam)'
  expect(await ask({ node: 'elsewhere' })).toEqual({ refuse })
  await ask()
  expect(await row()).toMatchObject({ status: 'inactive' })
  const ingest = { kbps: 6000, fps: 30, gopMs: 2000, videoCodec: 'avc1', audioCodec: 'aac', width: 1920, height: 1080 }
  const pulls = [{ id, viewers: 2, kbps: 12_000 }]
  await handleEvent(world.services, 'here', 2, { type: 'sample', ...about, ingest, destinations: [], pulls })
  expect(await row()).toMatchObject({ status: 'active', viewers: 2, bitrate: 12_000 })
  expect((await world.api(pullKeys.check, { ...inMine, key }, { as: me })).body.status).toBe('active')
})

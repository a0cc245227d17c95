// SRT destinations: added, switched, counted and sent like others; their parameters are secrets.
import { createSocket } from 'node:dgram'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { readDesired, recordUnsent } from '#server/domain/broadcasts/desired.ts'
import { findOnAir } from '#server/domain/broadcasts/store.ts'
import { newChannel, upgrade } from '#server/testing/channels.ts'
import { onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const secrets = 'streamid=#!::r=studio,m=publish&passphrase=a+secret+phrase&pbkeylen=32&latency=2000'
const address = `srt://media.example.org:9000?${secrets}`

const addSrt = (as: Person, ingress_url = address) =>
  world.api(addChannel.srt, { project_id: as.projectId, name: 'SRT', ingress_url }, { as })
const someone = async () => {
  const ann = await world.user('Ann')
  await upgrade(world, ann, 2)
  return ann
}
const activeOf = async (as: Person) => {
  const { body } = await world.api(channels.search, { project_id: as.projectId, type: 'active' }, { as })
  return body.results.map((one) => one.group_id)
}

test('SRT is offered for a new channel', async () => {
  const ann = await world.user('Ann')
  const { results } = (await world.api(platforms.list, {}, { as: ann })).body
  expect(results.find(({ type }) => type === 'srt')).toMatchObject({ is_adding: 1, rtmp_key: 0 })
})

test('an SRT channel is on, takes a place of the plan, and can be switched', async () => {
  const ann = await someone()
  const { channel_id, active } = (await addSrt(ann)).body
  expect([active, await activeOf(ann)]).toEqual([true, [channel_id]])
  for (const status of [false, true])
    expect((await world.api(channels.setStatus, { channel_id, status }, { as: ann })).status).toBe(200)
})

test('the node receives the parameters of the address', async () => {
  const ann = await someone()
  const { channel_id } = (await addSrt(ann)).body
  const { state } = await readDesired(world.services, ann.projectId)
  expect(state.destinations).toEqual([
    {
      id: channel_id,
      target: {
        protocol: 'srt',
        host: 'media.example.org',
        port: 9000,
        streamId: '#!::r=studio,m=publish',
        passphrase: 'a+secret+phrase',
        keyBytes: 32,
        latencyMs: 2000,
      },
    },
  ])
})

test('a node of an earlier release gets no SRT channel, and the channel names the reason until it has a newer node', async () => {
  const ann = await someone()
  const other = await newChannel(world, ann)
  const { channel_id } = (await addSrt(ann)).body
  await someNodeOf(world).begin(ann.projectId)
  const { state, effects } = await readDesired(world.services, ann.projectId, new Set())
  expect(state.destinations.map(({ id }) => id)).toEqual([other])
  const onAir = await findOnAir(world.app.db, ann.projectId)
  if (!effects || !onAir) throw new Error('Not on air')
  const shown = async () => {
    const { restreams } = await onAirOf(world, ann)
    return restreams.filter((one) => one.channel_id === channel_id).map(({ state: now, reason }) => [now, reason])
  }
  await recordUnsent(world.services, onAir, effects)
  expect(await shown()).toEqual([['rejected', 'old-server']])
  const newer = await readDesired(world.services, ann.projectId)
  await recordUnsent(world.services, onAir, newer.effects ?? effects)
  expect(await shown()).toEqual([['idle', null]])
})

test('stream id and passphrase are sealed, and only editors see them', async () => {
  const ann = await someone()
  const { channel_id } = (await addSrt(ann)).body
  const place = { project_id: ann.projectId, channel_id }
  const stored = await world.app.db.selectFrom('channels').selectAll().where('id', '=', channel_id).execute()
  expect(JSON.stringify(stored)).not.toMatch(/studio|secret\+phrase/)
  const viewer = await world.user('Viewer')
  await world.join(viewer, ann.projectId, 0)
  const seen = async (as: Person) => (await world.api(channels.get, place, { as })).body.ingress_url
  expect([await seen(ann), await seen(viewer)]).toEqual([address, 'srt://media.example.org:9000'])
  const history = await world.app.db.selectFrom('project_history').selectAll().execute()
  expect(JSON.stringify(history)).not.toMatch(/studio|secret\+phrase/)
})

test.each([
  ['passphrase=too-short', 'address_srt_passphrase'],
  [`passphrase=${'x'.repeat(80)}`, 'address_srt_passphrase'],
  ['passphrase=', 'address_srt_passphrase'],
  [`streamid=${'x'.repeat(513)}`, 'address_srt_streamid'],
  ['latency=119', 'address_srt_latency'],
  ['latency=2000000', 'address_srt_latency'],
  ['latency=1e3x', 'address_srt_latency'],
  ['pbkeylen=20', 'address_srt_pbkeylen'],
  ['mode=listener', 'address_srt_parameter'],
  ['maxbw=1', 'address_srt_parameter'],
  ['streamid=a&streamid=b', 'address_srt_parameter'],
  ['streamid=%', 'address_srt_parameter'],
  ['__proto__=1', 'address_srt_parameter'],
])('%.40s is refused when it is saved, in the language of the caller', async (query, rule) => {
  const ann = await someone()
  const sentences = await Promise.all(
    ['en', 'ru', 'cn'].map(async (language) => {
      const url = `srt://media.example.org:9000?${query}`
      const payload = { v: '1', language, project_id: ann.projectId, name: 'SRT', ingress_url: url }
      const headers = { authorization: `oauth ${ann.accessToken}` }
      const answer = await world.app.inject({ method: 'POST', url: addChannel.srt.path, headers, payload })
      expect(answer.statusCode).toBe(400)
      expect(answer.body).not.toContain('xxxxxxxxxx')
      return String(answer.json().error.validator_error[0].constraints[rule])
    }),
  )
  expect(new Set(sentences).size).toBe(3)
  expect(sentences[1]).toMatch(/[а-я]/)
  expect(sentences[2]).toMatch(/\p{Script=Han}/u)
})

test('a private address is refused, also when the channel moves', async () => {
  const ann = await someone()
  const rule = 'address_private'
  const refused = await addSrt(ann, 'srt://192.168.1.5:9000')
  expect(refused.error?.validator_error).toMatchObject([
    { property: 'ingress_url', constraints: { [rule]: expect.any(String) } },
  ])
  const { channel_id } = (await addSrt(ann)).body
  const place = { project_id: ann.projectId, channel_id }
  const moved = await world.api(settings.setSrt, { ...place, url: 'srt://127.0.0.1:9000' }, { as: ann })
  expect(moved.error?.validator_error).toMatchObject([{ property: 'url', constraints: { [rule]: expect.any(String) } }])
})

test('a stored address whose parameters are wrong by now names the reason', async () => {
  const ann = await someone()
  const { channel_id } = (await addSrt(ann)).body
  await someNodeOf(world, 'another').begin(ann.projectId)
  const { sealSecret } = await import('#server/domain/channels/secrets.ts')
  const secret_sealed = sealSecret(world.services, { key: '', query: 'passphrase=short' })
  await world.app.db.updateTable('channels').set({ secret_sealed }).where('id', '=', channel_id).execute()
  const { effects } = await readDesired(world.services, ann.projectId)
  expect(effects?.unsent).toEqual(new Map([[channel_id, 'address-invalid']]))
})

test('the connection test greets the listener', async () => {
  const near = await testApp({ ALLOW_PRIVATE_DESTINATIONS: 'on' })
  onTestFinished(() => near.close())
  const ann = await near.user()
  const listener = createSocket('udp4')
  listener.on('error', () => undefined)
  listener.on('message', (bytes, { port, address: from }) => listener.send(bytes, port, from))
  await new Promise<void>((resolve) => listener.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void listener.close())
  const url = `srt://127.0.0.1:${listener.address().port}?${secrets}`
  const answer = await near.api(channels.test, { project_id: ann.projectId, url }, { as: ann })
  expect(answer.body).toMatchObject({ reachable: true, reason: 'ok' })
})

test('stored SRT channels that were on before sending was built are off after the update', async () => {
  const ann = await someone()
  const other = await newChannel(world, ann)
  const { channel_id } = (await addSrt(ann)).body
  const { db } = world.app
  expect(await activeOf(ann)).toContain(channel_id)
  const { up } = await import('#server/db/migrations/0045-srt-off.ts')
  await up(db as unknown as Parameters<typeof up>[0])
  expect(await activeOf(ann)).toEqual([other])
})

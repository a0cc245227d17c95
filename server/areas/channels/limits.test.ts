// The tariff's limits of channels over HTTP, also when many switch at the same moment.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { fitLine } from '#server/domain/ingest/fit-line.ts'
import { endPlans } from '#server/testing/tariffs.ts'
import { newChannel, share, someAddress, upgrade } from '#server/testing/channels.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const activeOf = async (as: Person) => {
  const { body } = await world.api(channels.search, { project_id: as.projectId, type: 'active' }, { as })
  return body.results.map((one) => one.group_id)
}
const switchTo = (as: Person, id: number, status: boolean) =>
  world.api(channels.setStatus, { channel_id: id, status }, { as })

/** One round of the job that handles the ends of plans. */
const planEnds = () =>
  endPlans({
    db: world.app.db,
    clock: world.clock,
    fit: (trx, projectId, line) => fitLine(world, trx, projectId, line),
    onEnd: () => undefined,
  })

test('the tariff allows so many channels to be on; a bigger plan lifts it', async () => {
  const ann = await world.user('Ann')
  const first = await newChannel(world, ann)
  const second = await newChannel(world, ann)
  const third = await newChannel(world, ann)
  expect(await activeOf(ann)).toEqual([first, second])
  const refused = await switchTo(ann, third, true)
  expect([refused.status, refused.error?.name]).toEqual([400, 'PlanLimitReached'])
  expect(refused.error?.data).toEqual({ limit: 'channels', value: 2, plan_restream_id: 2, plan_title: 'Start' })

  await switchTo(ann, first, false)
  expect((await switchTo(ann, third, true)).body).toEqual({ success: true })
  await upgrade(world, ann, 2)
  expect((await switchTo(ann, first, true)).status).toBe(200)
  const fourth = await newChannel(world, ann)
  expect(await activeOf(ann)).toEqual([first, second, third, fourth])
})

test('a tariff without custom channels refuses addresses that are no platform’s', async () => {
  const ann = await world.user('Ann')
  const custom = { project_id: ann.projectId, name: 'Own server', rtmp_url: someAddress, stream_key: '' }
  const refused = await world.api(addChannel.custom, custom, { as: ann })
  expect(refused.error).toMatchObject({
    name: 'PlanLimitReached',
    data: { limit: 'custom_channels', value: 0, plan_restream_id: 2, plan_title: 'Start' },
  })
  await upgrade(world, ann, 2)
  expect((await world.api(addChannel.custom, custom, { as: ann })).status).toBe(201)
})

const foreign = 'rtmp://media.example.org/live'
const refusal = { limit: 'custom_channels', value: 0, plan_restream_id: 2, plan_title: 'Start' }
const moveTo = (as: Person, channel_id: number, url: string) =>
  world.api(settings.setRtmp, { project_id: as.projectId, channel_id, url }, { as })

test.each([
  ['twitch', foreign],
  ['twitch', 'rtmp://live.twitch.tv.example.org/app'],
  ['twitch', 'rtmp://nottwitch.tv/app'],
  ['twitch', 'rtmp://a.rtmp.youtube.com/live2'],
  ['kick', 'rtmps://0123456789ab.global-contribute.live-video.net:443/app'],
  ['rutube', foreign],
  ['tachid', foreign],
] as const)('%s: %s is not one of its servers', async (type, rtmp_url) => {
  const ann = await world.user('Ann')
  const input = { project_id: ann.projectId, type, name: 'One', rtmp_url, stream_key: 'key' }
  const { error } = await world.api(addChannel.any, input, { as: ann })
  expect([error?.name, error?.data]).toEqual(['PlanLimitReached', refusal])
})

test.each([
  ['twitch', 'rtmp://live.twitch.tv/app'],
  ['twitch', 'rtmps://FRA05.contribute.live-video.net.:443/app'],
  ['telegram', 'rtmps://dc4-1.rtmp.t.me/s'],
  ['rutube', 'rtmp://rtmp-lb-a.dth.rutube.ru/live_push'],
  ['tiktok', 'rtmp://push-rtmp-l1-sg01.tiktokcdn.com/game'],
  ['vkvideolive', 'rtmp://ovsu.okcdn.ru/input'],
] as const)('%s: %s is one of its servers', async (type, rtmp_url) => {
  const ann = await world.user('Ann')
  const input = { project_id: ann.projectId, type, name: 'One', rtmp_url, stream_key: 'key' }
  expect((await world.api(addChannel.any, input, { as: ann })).status).toBe(201)
})

test('published routes that add a channel refuse an address of one’s own as well', async () => {
  const ann = await world.user('Ann')
  const keyed = { project_id: ann.projectId, rtmp_url: foreign, stream_key: 'key' }
  const answers = [
    await world.api(addChannel.telegram, { ...keyed, name: 'One' }, { as: ann }),
    await world.api(addChannel.kick, { ...keyed, channel_url: 'https://kick.com/ann' }, { as: ann }),
    await world.api(
      addChannel.srt,
      { ...keyed, name: 'One', ingress_url: 'srt://media.example.org:9000' },
      { as: ann },
    ),
  ]
  expect(answers.map(({ error }) => error?.data)).toEqual([refusal, refusal, refusal])
})

test('a channel is not moved to an address of one’s own without the tariff; its key and its platform’s servers are fine', async () => {
  const ann = await world.user('Ann')
  const id = await newChannel(world, ann)
  expect((await moveTo(ann, id, foreign)).error?.data).toEqual(refusal)
  expect((await moveTo(ann, id, 'rtmp://b.rtmp.youtube.com/live2?backup=1')).status).toBe(201)
  await upgrade(world, ann, 2)
  expect((await moveTo(ann, id, foreign)).status).toBe(201)
})

test('when a plan ends, a channel with an address of one’s own is off, and stays so until it moves back', async () => {
  const first = await world.user('Ann')
  await upgrade(world, first, 2)
  const id = await newChannel(world, first)
  await moveTo(first, id, foreign)
  world.clock.advance(40 * 86_400_000)
  await planEnds()
  const ann = await world.signIn(first)
  expect(await activeOf(ann)).toEqual([])
  expect((await switchTo(ann, id, true)).error?.data).toEqual(refusal)
  // Another key for the address that is there is no new address; another address is.
  const project_id = ann.projectId
  const rekey = { project_id, channel_id: id, url: foreign, stream_key: 'another' }
  expect((await world.api(settings.setRtmp, rekey, { as: ann })).status).toBe(201)
  expect((await moveTo(ann, id, `${foreign}2`)).error?.data).toEqual(refusal)
  expect((await switchTo(ann, id, true)).status).toBe(400)
  expect((await moveTo(ann, id, 'rtmp://a.rtmp.youtube.com/live2')).status).toBe(201)
  expect((await switchTo(ann, id, true)).status).toBe(200)
})

test('a channel that is shared counts for each project by its own tariff', async () => {
  const [ann, bob, cleo] = [await world.user('Ann'), await world.user('Bob'), await world.user('Cleo')]
  await upgrade(world, ann, 2)
  await upgrade(world, cleo, 2)
  const id = await newChannel(world, ann)
  for (const guest of [bob, cleo]) {
    await share(world, id, guest.projectId, 1)
    await world.api(
      channels.bulkStatus,
      { project_id: guest.projectId, channel_ids: [id], status: true },
      { as: guest },
    )
  }
  expect([await activeOf(bob), await activeOf(cleo)]).toEqual([[id], [id]])
  expect((await moveTo(ann, id, foreign)).status).toBe(201)
  expect([await activeOf(ann), await activeOf(bob), await activeOf(cleo)]).toEqual([[id], [], [id]])
  const again = { project_id: bob.projectId, channel_ids: [id], status: true }
  expect((await world.api(channels.bulkStatus, again, { as: bob })).error?.data).toEqual(refusal)
})

test('platforms name their servers, and the operator adds others', async () => {
  const wider = await testApp({ PLATFORM_HOSTS: 'Ingest.Example.net' })
  try {
    const { body } = await wider.api(platforms.list, {})
    const hosts = (type: string) => body.results.find((one) => one.type === type)?.hosts
    expect(hosts('twitch')).toEqual(expect.arrayContaining(['twitch.tv', 'ingest.example.net']))
    expect([hosts('custom'), hosts('srt')]).toEqual([[], []])
    const ann = await wider.user('Ann')
    const input = {
      project_id: ann.projectId,
      name: 'One',
      rtmp_url: 'rtmp://eu.ingest.example.net/a',
      stream_key: 'k',
    }
    expect((await wider.api(addChannel.any, { ...input, type: 'twitch' }, { as: ann })).status).toBe(201)
    expect((await wider.api(addChannel.custom, input, { as: ann })).error?.data).toEqual(refusal)
  } finally {
    await wider.close()
  }
})

test('the limit holds for switching at the same moment, through two services', async () => {
  const ann = await world.user('Ann')
  const ids = []
  for (let count = 0; count < 5; count++) ids.push(await newChannel(world, ann))
  await world.api(channels.bulkStatus, { project_id: ann.projectId, channel_ids: ids, status: false }, { as: ann })
  const other = await world.replica()
  const answers = await Promise.all(
    ids.map((id, at) =>
      world.api(
        channels.setStatus,
        { channel_id: id, status: true },
        { as: ann, through: at % 2 === 0 ? world.app : other },
      ),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(await activeOf(ann)).toHaveLength(2)
})

test('switches all of many channels or none at the limit', async () => {
  const ann = await world.user('Ann')
  const ids = [await newChannel(world, ann), await newChannel(world, ann), await newChannel(world, ann)]
  const bulk = (status: boolean, channel_ids: number[]) =>
    world.api(channels.bulkStatus, { project_id: ann.projectId, channel_ids, status }, { as: ann })
  await bulk(false, ids)
  expect((await bulk(true, ids)).error?.name).toBe('PlanLimitReached')
  expect(await activeOf(ann)).toEqual([])
  expect((await bulk(true, ids.slice(1))).status).toBe(200)
  expect((await bulk(true, [...ids.slice(0, 1), 2_147_483_647])).status).toBe(403)
})

test('when a plan ends, the channels that came last and custom ones are switched off, and the history says so', async () => {
  const ann = await world.user('Ann')
  await upgrade(world, ann, 2)
  const custom = { project_id: ann.projectId, name: 'Own', rtmp_url: someAddress, stream_key: '' }
  const own = (await world.api(addChannel.custom, custom, { as: ann })).body.channel_id
  const kept = [await newChannel(world, ann), await newChannel(world, ann)]
  const last = await newChannel(world, ann)
  world.clock.advance(40 * 86_400_000)
  await planEnds()
  const rows = await world.app.db
    .selectFrom('project_history')
    .select(['channel_id', 'user_id'])
    .where('project_id', '=', ann.projectId)
    .where('action', '=', 'project_channel_change')
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { channel_id: own, user_id: null },
    { channel_id: last, user_id: null },
  ])
  const again = await world.signIn(ann)
  expect(await activeOf(again)).toEqual(kept)
  expect((await switchTo(again, own, true)).error?.data).toMatchObject({ limit: 'custom_channels' })
})

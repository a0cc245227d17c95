// The tariff's limits of channels over HTTP, also when many switch at the same moment.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { rollOver } from '#server/domain/housekeeping.ts'
import { newChannel, someAddress, upgrade } from '#server/testing/channels.ts'
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

test('the limit holds for many at once: all or none', async () => {
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
  await rollOver(world.app.db, world.clock, () => undefined)
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

// The switch for new broadcasts at the platform: its rights, its history, and where it is offered.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channels } from '#contract/areas/channels/channels.ts'
import { history } from '#contract/areas/projects/history.ts'
import { accessTypes } from '#contract/entities/roles.ts'
import { newChannel } from '#server/testing/channels.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { twitchDouble, youtubeDouble } from '#server/testing/providers/platforms.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let double: PlatformDouble
let world: World
let ann: Person
beforeAll(async () => {
  double = await platformDouble([youtubeDouble, twitchDouble])
  double.tokens.add('*')
  world = await testApp(registeredAt(double.base))
  ann = await world.user('Ann')
})
afterAll(async () => {
  await world.close()
  await double.close()
})

const set = (channel_id: number, healing: boolean, as = ann) =>
  world.api(channels.setHealing, { project_id: ann.projectId, channel_id, healing }, { as })
const get = async (channel_id: number) =>
  (await world.api(channels.get, { project_id: ann.projectId, channel_id }, { as: ann })).body

test('editors switch it for a channel of YouTube with an account, and the history names it', async () => {
  const id = (await connect(world, ann, 'youtube')).body.channel_id ?? 0
  const viewer = await world.user('Vic')
  await world.join(viewer, ann.projectId, accessTypes.viewer)
  expect(await get(id)).toMatchObject({ healing: false })
  expect((await set(id, true, viewer)).status).toBe(403)
  expect((await set(id, true)).status).toBe(200)
  expect(await get(id)).toMatchObject({ healing: true })
  const { results } = (await world.api(history.list, { project_id: ann.projectId }, { as: ann })).body
  expect(results[0]).toMatchObject({ action: 'project_channel_change', details: { name: 'Ann on air', healing: true } })
  expect((await set(id, false)).status).toBe(200)
  expect(await get(id)).toMatchObject({ healing: false })
})

test.each([
  ['by key', () => newChannel(world, ann)],
  ['of Twitch', async () => (await connect(world, ann, 'twitch')).body.channel_id ?? 0],
])('refuses it for a channel %s', async (_, make) => {
  const id = await make()
  expect(await get(id)).not.toHaveProperty('healing')
  expect((await set(id, true)).error).toMatchObject({ name: 'NoHealing' })
  expect((await set(id, false)).status).toBe(200)
})

// SRT destinations: sending by SRT is not built, so they are not offered, not on and not counted.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { newChannel, upgrade } from '#server/testing/channels.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const addSrt = async (as: Person) => {
  const input = { project_id: as.projectId, name: 'SRT', ingress_url: 'srt://media.example.org:9000' }
  return (await world.api(addChannel.srt, input, { as })).body
}
const activeOf = async (as: Person) => {
  const { body } = await world.api(channels.search, { project_id: as.projectId, type: 'active' }, { as })
  return body.results.map((one) => one.group_id)
}

test('SRT is not offered for a new channel', async () => {
  const ann = await world.user('Ann')
  const { results } = (await world.api(platforms.list, {}, { as: ann })).body
  expect(results.find(({ type }) => type === 'srt')).toMatchObject({ is_adding: 0 })
})

test('an SRT channel is stored off, takes no place of the plan, and cannot be switched on', async () => {
  const ann = await world.user('Ann')
  await upgrade(world, ann, 2)
  const { channel_id, active } = await addSrt(ann)
  expect(active).toBe(false)
  const other = await newChannel(world, ann)
  expect(await activeOf(ann)).toEqual([other])
  const answers = [
    await world.api(channels.setStatus, { channel_id, status: true }, { as: ann }),
    await world.api(
      channels.bulkStatus,
      { project_id: ann.projectId, channel_ids: [other, channel_id], status: true },
      { as: ann },
    ),
  ]
  expect(answers.map(({ status, error }) => [status, error?.name])).toEqual([
    [400, 'SrtNotSupported'],
    [400, 'SrtNotSupported'],
  ])
  expect((await world.api(channels.setStatus, { channel_id, status: false }, { as: ann })).status).toBe(200)
})

test('stored SRT channels that were on are off after the update', async () => {
  const ann = await world.user('Ann')
  await upgrade(world, ann, 2)
  const other = await newChannel(world, ann)
  const { channel_id } = await addSrt(ann)
  const { db } = world.app
  await db.updateTable('project_channels').set({ active: 1 }).where('channel_id', '=', channel_id).execute()
  const { up } = await import('#server/db/migrations/0045-srt-off.ts')
  await up(db as unknown as Parameters<typeof up>[0])
  expect(await activeOf(ann)).toEqual([other])
})

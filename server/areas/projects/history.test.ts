// The history of a project, over HTTP.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channels } from '#contract/areas/channels/channels.ts'
import { history } from '#contract/areas/projects/history.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { Input } from '#contract/core/operation.ts'
import { newChannel } from '#server/testing/channels.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let eve: Person
let channelId: number
beforeAll(async () => {
  world = await testApp()
  ann = await world.user('Ann')
  eve = await world.user('Eve')
  await world.join(eve, ann.projectId, 1)
  // One entry per minute: 10:01 Ann renames, 10:02 Eve adds a channel, 10:03 Ann renames, 10:04 the channel is removed.
  const minute = () => world.clock.advance(60_000)
  minute()
  await world.api(projects.update, { project_id: ann.projectId, name: 'One' }, { as: ann })
  minute()
  channelId = await newChannel(world, eve, { name: 'Eve’s', projectId: ann.projectId })
  minute()
  await world.api(projects.update, { project_id: ann.projectId, name: 'Two' }, { as: ann })
  minute()
  await world.api(channels.remove, { project_id: ann.projectId, channel_id: channelId }, { as: eve })
})
afterAll(() => world.close())

const list = async (filter: Omit<Input<typeof history.list>, 'project_id'> = {}, as: Person = ann) =>
  (await world.api(history.list, { project_id: ann.projectId, ...filter }, { as })).body
const names = async (filter: Omit<Input<typeof history.list>, 'project_id'>) =>
  (await list(filter)).results.map(({ action }) => action)

test('returns pages to members, newest first', async () => {
  const first = await list({ limit: 3 }, eve)
  expect(first).toMatchObject({ total: 4, limit: 3, offset: 0 })
  expect(first.results.map(({ date }) => date.slice(11, 16))).toEqual(['10:04', '10:03', '10:02'])
  expect(first.results[0]).toMatchObject({
    action: 'project_channel_del',
    group_id: channelId,
    user_id: eve.id,
    user_: { name: 'Eve' },
    details: { name: 'Eve’s' },
  })
  expect((await list({ limit: 3, offset: 3 }, eve)).results).toMatchObject([{ action: 'project_changed' }])
  const stranger = await world.user('Bob')
  expect((await world.api(history.list, { project_id: ann.projectId }, { as: stranger })).status).toBe(403)
})

test('filters by action, user, channel and time', async () => {
  expect(await names({ action: 'project_channel_add' })).toEqual(['project_channel_add'])
  expect(await names({ user_id: ann.id })).toEqual(['project_changed', 'project_changed'])
  expect(await names({ group_id: channelId })).toEqual(['project_channel_del', 'project_channel_add'])
  // From 10:02 to before 10:04, in another time zone.
  const between = { date_from: '2026-03-01T13:02:00+03:00', date_to: '2026-03-01T10:04:00Z' }
  expect(await names(between)).toEqual(['project_changed', 'project_channel_add'])
  expect((await list({ ...between, user_id: ann.id })).total).toBe(1)
})

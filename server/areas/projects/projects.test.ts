// Projects and profiles over HTTP.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projects } from '#contract/areas/projects/projects.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let bob: Person
beforeAll(async () => {
  world = await testApp()
  ann = await world.user('Ann')
  bob = await world.user('Bob')
})
afterAll(() => world.close())

test('lists the projects of the caller in pages, and none of other users', async () => {
  const eve = await world.user('Eve')
  await world.join(eve, ann.projectId, 1)
  const first = await world.api(projects.list, { limit: 1 }, { as: eve })
  expect(first.body).toMatchObject({
    total: 2,
    limit: 1,
    offset: 0,
    results: [{ project_id: eve.projectId, access_type: 2 }],
  })
  const second = await world.api(projects.list, { limit: 1, offset: 1 }, { as: eve })
  expect(second.body.results).toMatchObject([{ project_id: ann.projectId, access_type: 1, member_count: 2 }])
  expect((await world.api(projects.list, { offset: 2 }, { as: eve })).body.results).toEqual([])
})

test('stores the selected project, and requires membership of it', async () => {
  expect((await world.api(projects.select, { id: ann.projectId }, { as: bob })).status).toBe(403)
  const eve = await world.user('Eve')
  await world.join(eve, ann.projectId, 0)
  const { body } = await world.api(projects.select, { id: ann.projectId }, { as: eve })
  expect(body).toMatchObject({ internal_id: ann.projectId, name: 'Ann', currency: 'usd' })
  const row = await world.app.db
    .selectFrom('users')
    .select('last_project_id')
    .where('id', '=', eve.id)
    .executeTakeFirst()
  expect(row?.last_project_id).toBe(ann.projectId)
})

test('returns a project by its external id to its members only', async () => {
  const { body } = await world.api(projects.select, { id: ann.projectId }, { as: ann })
  const by = { project_external_id: body.external_id }
  expect((await world.api(projects.get, by, { as: ann })).body).toEqual(body)
  expect((await world.api(projects.get, by, { as: bob })).status).toBe(403)
})

test('returns the running plan and the role in project info', async () => {
  const { body } = await world.api(projects.info, { project_id: ann.projectId }, { as: ann })
  expect(body.data).toMatchObject({ project_id: ann.projectId, balance_bonus: 18_000, balance_payment: 0 })
  expect(body.restream.data).toMatchObject({ plan_restream_id: 1, type: 'free' })
  expect(body.restream.plan2user).toMatchObject({ plan_restream_id: 1, date_end: null })
  expect(body.access).toEqual({ access_type: 2 })
})

test('shows a user to members of a shared project, without their balance', async () => {
  const { external_id } = await world.app.db
    .selectFrom('users')
    .select('external_id')
    .where('id', '=', ann.id)
    .executeTakeFirstOrThrow()
  const ask = (as: Person) => world.api(projects.user, { user_external_id: external_id }, { as })
  expect((await ask(bob)).status).toBe(403)
  const eve = await world.user('Eve')
  await world.join(eve, ann.projectId, 0)
  expect((await ask(eve)).body).toMatchObject({ name: 'Ann', external_id, balance_bonus: 0 })
  const members = await world.api(projects.members, { project_id: ann.projectId }, { as: eve })
  expect(members.body.results.map(({ name }) => name)).toContain('Eve')
})

// Creating and naming team projects over HTTP.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { history } from '#contract/areas/projects/history.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { upgrade } from '#server/testing/channels.ts'
import { newTeam, planWithTeams } from '#server/testing/team.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

test('creates a team project with the free plan, empty balances and its creator as owner', async () => {
  const ann = await world.user('Ann')
  await upgrade(world, ann, planWithTeams)
  const made = await world.api(projects.create, { name: ' Studio ', currency: 'rub' }, { as: ann })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ name: 'Studio', type: 1, currency: 'rub', balance_bonus: 0, balance_payment: 0 })
  const { body } = await world.api(projects.info, { project_id: made.body.internal_id }, { as: ann })
  expect(body).toMatchObject({ restream: { data: { type: 'free' } }, access: { access_type: 2 } })
})

test('requires a plan with team projects, and names the first such plan in the refusal', async () => {
  const ann = await world.user('Ann')
  const { status, error } = await world.api(projects.create, { name: 'Studio', currency: 'usd' }, { as: ann })
  expect(status).toBe(400)
  expect(error).toMatchObject({
    name: 'PlanLimitReached',
    data: { limit: 'create_projects', value: 0, plan_restream_id: planWithTeams, plan_title: 'Pro' },
  })
})

test('creates at most twenty, also under concurrent requests', async () => {
  const ann = await world.user('Ann')
  await newTeam(world, ann)
  const answers = await Promise.all(
    Array.from({ length: 24 }, () => world.api(projects.create, { name: 'Studio', currency: 'usd' }, { as: ann })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(19)
  expect(answers.filter(({ error }) => error?.name === 'TooManyProjects')).toHaveLength(5)
})

test('refuses a blank, multi-line or too long name, and a rename by an editor', async () => {
  const ann = await world.user('Ann')
  for (const name of ['', '   ', 'a\nb', 'x'.repeat(101)]) {
    const answer = await world.api(projects.update, { project_id: ann.projectId, name }, { as: ann })
    expect(answer.error?.name).toBe('I18nValidationException')
  }
  const eve = await world.user('Eve')
  await world.join(eve, ann.projectId, 1)
  const rename = { project_id: ann.projectId, name: 'Hers' }
  expect((await world.api(projects.update, rename, { as: eve })).status).toBe(403)
})

test('issues sign-in tokens with all scopes', async () => {
  const { body } = await world.api(projects.me, {}, { as: await world.user() })
  expect(body.scopes).toContain('project:write')
})

test('records bought and cancelled plans in the history', async () => {
  const ann = await world.user('Ann')
  const buy = { project_id: ann.projectId, period: 'month', idempotency_key: 'once-and-for-all' } as const
  await world.api(restream.buy, { ...buy, plan_restream_id: 3 }, { as: ann })
  await world.api(restream.buy, { ...buy, plan_restream_id: 3 }, { as: ann })
  await world.api(restream.buy, { project_id: ann.projectId, period: 'month', plan_restream_id: 2 }, { as: ann })
  await world.api(restream.cancelNext, { project_id: ann.projectId, plan_restream_id: 2 }, { as: ann })
  const { body } = await world.api(history.list, { project_id: ann.projectId }, { as: ann })
  expect(body.results.map(({ action, details }) => [action, details])).toEqual([
    ['plan_cancelled', { plan: 'Start' }],
    ['plan_bought', { plan: 'Start', period: 'month', action: 'downgrade' }],
    ['plan_bought', { plan: 'Pro', period: 'month', action: 'new' }],
  ])
})

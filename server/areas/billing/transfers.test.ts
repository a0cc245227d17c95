// Balance moved between projects of one owner.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transfers } from '#contract/areas/billing/transfers.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { Currency } from '#contract/entities/project.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { upgrade } from '#server/testing/channels.ts'
import { brokenRules, topUp } from '#server/testing/tariffs.ts'
import { planWithTeams } from '#server/testing/team.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

/** A user with 50.00 paid in and 30.00 earned, and a new team project. */
async function owner(currency: Currency = 'usd'): Promise<readonly [Person, number]> {
  const ann = await world.user()
  await topUp({ db: world.app.db, clock: world.clock }, ann.projectId, { bonus: 0, payment: 5000, profit: 3000 })
  await upgrade(world, ann, planWithTeams)
  const team = await world.api(projects.create, { name: 'Team', currency }, { as: ann })
  return [ann, team.body.internal_id]
}

const move = (ann: Person, from: number, to: number, amount: number, idempotency_key?: string) =>
  world.api(
    transfers.move,
    { project_id: from, to_project_id: to, amount, ...(idempotency_key && { idempotency_key }) },
    { as: ann },
  )
const held = (projectId: number) => getBalance(world.app.db, projectId)

test('moves the paid-in balance first, then the earned one, and never the bonus', async () => {
  const [ann, team] = await owner()
  const before = await held(ann.projectId)
  expect((await move(ann, ann.projectId, team, before.payment + 1000)).error).toBeUndefined()
  expect(await held(ann.projectId)).toEqual({ ...before, payment: 0, profit: before.profit - 1000 })
  expect(await held(team)).toEqual({ bonus: 0, payment: before.payment, profit: 1000 })
  expect((await move(ann, ann.projectId, team, before.profit)).error).toMatchObject({
    name: 'InsufficientBalance',
    data: { available: before.profit - 1000 },
  })
  for (const id of [ann.projectId, team])
    expect(await brokenRules({ db: world.app.db, clock: world.clock }, id)).toEqual([])
})

test('moves once per idempotency key, also in opposite directions', async () => {
  const [ann, team] = await owner()
  const before = await held(ann.projectId)
  await Promise.all([1, 2, 3].map(() => move(ann, ann.projectId, team, 1000, 'one-transfer')))
  expect(await held(team)).toMatchObject({ payment: 1000 })
  const both = await Promise.all([
    move(ann, ann.projectId, team, 100),
    move(ann, team, ann.projectId, 100),
    move(ann, ann.projectId, team, 100),
  ])
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200])
  const sum = (await held(ann.projectId)).payment + (await held(team)).payment
  expect(sum).toBe(before.payment)
})

test('refuses a project of another owner, the same project, and another currency', async () => {
  const [ann, team] = await owner('rub')
  const eve = await world.user()
  await world.join(ann, eve.projectId, 1)
  expect((await move(ann, ann.projectId, eve.projectId, 100)).status).toBe(403)
  expect((await move(ann, ann.projectId, ann.projectId, 100)).error?.name).toBe('SameProject')
  expect((await move(ann, ann.projectId, team, 100)).error?.name).toBe('CurrencyDiffers')
})

test('a suspended project moves no balance out, and receives some', async () => {
  const [ann, team] = await owner()
  const { projectId } = ann
  const suspend = (id: number, date_suspend: string | null) =>
    world.app.db.updateTable('projects').set({ date_suspend }).where('id', '=', id).execute()
  await suspend(projectId, world.clock.now().toISOString())
  const before = await held(projectId)
  expect(await move(ann, projectId, team, 100)).toMatchObject({ status: 403, error: { name: 'ProjectSuspended' } })
  expect(await held(projectId)).toEqual(before)
  await suspend(projectId, null)
  await suspend(team, world.clock.now().toISOString())
  expect((await move(ann, projectId, team, 100)).status).toBe(200)
})

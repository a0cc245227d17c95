// Customers as operators see them: search, balances, gifts, the log, and the check of the ledger.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customers } from '#contract/areas/operator/customers.ts'
import { health } from '#contract/areas/operator/health.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let operator: Person
beforeAll(async () => {
  world = await testApp()
  operator = await newOperator(world)
})
afterAll(() => world.close())

const reason = 'A test'
const search = async (query: string) => (await world.api(customers.search, { query }, { as: operator })).body
const change = (
  me: Person,
  more: { balance: 'bonus' | 'payment' | 'profit'; amount: number; idempotency_key?: string },
) => world.api(customers.changeBalance, { target_project_id: me.projectId, reason, ...more }, { as: operator })
const balances = async (me: Person) => {
  const { data } = (await world.api(projects.info, { project_id: me.projectId }, { as: me })).body
  return [data.balance_bonus, data.balance_payment, data.balance_profit]
}
const gift = (me: Person, planId: number) => {
  const input = { target_project_id: me.projectId, line: 'restream', plan_id: planId, period: 'month', reason } as const
  return world.api(customers.gift, input, { as: operator })
}

test('finds projects by name, e-mail and number, with their balances and plan', async () => {
  const me = await world.user('Zoë')
  for (const query of ['zo', me.email, me.email.slice(0, 20), 'ZO example', String(me.projectId)]) {
    const { results } = await search(query)
    expect(
      results.find(({ project_id }) => project_id === me.projectId),
      query,
    ).toMatchObject({
      owner: 'Zoë',
      email: me.email,
      currency: 'usd',
      bonus: 18_000,
      plan: 'Free',
      plan_end: null,
    })
  }
  for (const query of ['%', '_!%', "'; drop table users; --"]) expect((await search(query)).total, query).toBe(0)
})

test('adds money and takes it, once per key, and never below zero', async () => {
  const me = await world.user()
  await Promise.all(
    [1, 2, 3].map(() => change(me, { balance: 'payment', amount: 2_500, idempotency_key: 'one-change' })),
  )
  const reused = await change(me, { balance: 'payment', amount: 2_501, idempotency_key: 'one-change' })
  expect(reused.error?.name).toBe('IdempotencyKeyReused')
  await change(me, { balance: 'profit', amount: 700 })
  await change(me, { balance: 'bonus', amount: -18_000 })
  expect(await balances(me)).toEqual([0, 2_500, 700])
  expect((await change(me, { balance: 'profit', amount: -701 })).error).toMatchObject({
    name: 'BalanceTooLow',
    data: { balance: 700 },
  })
  expect((await change(me, { balance: 'profit', amount: 0 })).error?.name).toBe('AmountIsZero')
  expect(await balances(me)).toEqual([0, 2_500, 700])
})

test('gives a plan without touching the balance, prolongs it, and replaces no bought plan', async () => {
  const me = await world.user()
  const current = async () => (await world.api(restream.slots, { project_id: me.projectId }, { as: me })).body.current
  await gift(me, 3)
  expect(await current()).toMatchObject({ id: 3, date_end: '2026-04-01T10:00:00.000Z' })
  await gift(me, 3)
  expect(await current()).toMatchObject({ id: 3, date_end: '2026-05-01T10:00:00.000Z' })
  expect((await gift(me, 4)).error?.name).toBe('GiftReplacesPlan')
  expect((await gift(me, 99)).error?.name).toBe('PlanNotFound')
  expect(await balances(me)).toEqual([18_000, 0, 0])
})

test('refuses an unknown project', async () => {
  const input = { target_project_id: 2_147_483_647, balance: 'bonus', amount: 1, reason } as const
  expect((await world.api(customers.changeBalance, input, { as: operator })).error?.name).toBe('ProjectNotFound')
})

test('lists the changes of a project, newest first', async () => {
  const me = await world.user()
  await change(me, { balance: 'payment', amount: 100 })
  await gift(me, 2)
  const log = async (more: object) => (await world.api(customers.log, more, { as: operator })).body
  const { total, results } = await log({ target_project_id: me.projectId })
  expect(total).toBe(2)
  expect(results.map(({ action, user, reason: why }) => [action, user, why])).toEqual([
    ['gift', 'Operator', reason],
    ['balance', 'Operator', reason],
  ])
  expect(results[1]).toMatchObject({ before: '{"payment":0}', after: '{"payment":100}', project: 'Ann' })
  expect((await log({ limit: 1 })).results).toHaveLength(1)
})

test('finds a wallet and a transaction that differ from their entries', async () => {
  const me = await world.user()
  const check = async () => (await world.api(health.get, {}, { as: operator })).body.ledger
  expect(await check()).toMatchObject({ unbalanced: [], differing: [] })
  const { db } = world.app
  await db.updateTable('wallets').set({ payment_minor: 5 }).where('project_id', '=', me.projectId).execute()
  const entry = await db
    .selectFrom('ledger_entries')
    .select(['id', 'transaction_id'])
    .where('project_id', '=', me.projectId)
    .where('account', '=', 'grants')
    .executeTakeFirstOrThrow()
  await db.updateTable('ledger_entries').set({ amount_minor: 1 }).where('id', '=', entry.id).execute()
  expect(await check()).toMatchObject({ unbalanced: [entry.transaction_id], differing: [me.projectId] })
})

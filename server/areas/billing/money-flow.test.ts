// Movements of a project's money over HTTP: rows per balance and per transaction, filters, pages, rights.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { moneyFlow } from '#contract/areas/billing/money-flow.ts'
import { transactions } from '#contract/areas/billing/transactions.ts'
import type { Input } from '#contract/core/operation.ts'
import { book, lockWallet, type Movement } from '#server/domain/money/ledger.ts'
import { transaction } from '#server/db/transaction.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let projectId: number

const nothing = { bonus: 0, payment: 0, profit: 0 }
const bookNow = (movement: Omit<Movement, 'currency'>) =>
  transaction(world.app.db, async (trx) => {
    world.clock.advance(60_000)
    const wallet = await lockWallet(trx, projectId)
    await book(trx, world.clock.now().toISOString(), wallet, { ...movement, currency: 'usd' })
  })

beforeAll(async () => {
  world = await testApp()
  ann = await world.user('Ann')
  const other = await world.services.db
    .insertInto('projects')
    .values({
      external_id: 'money',
      type: 1,
      name: 'Money',
      fename: '',
      photo: null,
      currency: 'usd',
      country_id: 1,
      date_create: world.clock.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  projectId = other.id
  await world.join(ann, projectId, 2)
  const links = { user_id: ann.id, payment_id: 7 }
  await bookNow({ type: 'payment', provider: 'stripe', change: { ...nothing, payment: 1000 }, links })
  await bookNow({ type: 'referral_profit', change: { ...nothing, profit: 300 }, links: { referral_id: 9 } })
  const details = { title: '=cmd()', date_end: '2026-12-01T00:00:00.000Z' }
  await bookNow({ type: 'plan_restream_buy', change: { bonus: 0, payment: -1000, profit: -200 }, details })
  await bookNow({ type: 'promo_create_plan_restream_1', change: nothing, details: { title: 'Pro' } })
})
afterAll(() => world.close())

const rows = async (filter: Omit<Input<typeof moneyFlow.list>, 'project_id'> = {}) =>
  (await world.api(moneyFlow.list, { project_id: projectId, ...filter }, { as: ann })).body
const moves = async (filter: Omit<Input<typeof transactions.list>, 'project_id'> = {}) =>
  (await world.api(transactions.list, { project_id: projectId, ...filter }, { as: ann })).body

test('returns one row per changed balance, newest first, with the balance before it', async () => {
  const { results, total } = await rows()
  expect(total).toBe(4)
  expect(results.map(({ type, balance_type, amount, balance }) => [type, balance_type, amount, balance])).toEqual([
    ['plan_restream_buy', 3, -200, 300],
    ['plan_restream_buy', 2, -1000, 1000],
    ['referral_profit', 3, 300, 0],
    ['payment', 2, 1000, 0],
  ])
  expect(results[0]).toMatchObject({ details: { title: '=cmd()', date_end: '2026-12-01T00:00:00.000Z' }, user_: null })
  expect(results[3]).toMatchObject({ user_: { user_id: ann.id, name: 'Ann' }, payment_id: 7, details: null })
})

test('returns one row per transaction, signed sums as text, also for movements without money', async () => {
  const { results, total } = await moves()
  expect(total).toBe(4)
  expect(results.map(({ type, sum, code, description }) => [type, sum, code.id, description])).toEqual([
    ['in', '0', 20, 'Pro'],
    ['out', '-1200', 2, '=cmd()'],
    ['in', '300', 7, ''],
    ['in', '1000', 8, ''],
  ])
  expect(results[3]).toMatchObject({ user_id: ann.id, paymentId: 7, payout_id: null, payoutId: null })
  expect(results[2]).toMatchObject({ user_id: null, referral_id: 9 })
})

test.each<[string, Omit<Input<typeof moneyFlow.list>, 'project_id'>, number]>([
  ['types by name', { type: 'payment,referral_profit' }, 2],
  ['types by place in the published list', { type: '8, 7' }, 2],
  ['balance types', { balance_type: '3' }, 2],
  ['balance types by name', { balance_type: 'payment' }, 2],
  ['both', { type: 'payment', balance_type: '1' }, 0],
  ['an empty filter as no filter', { type: '', balance_type: '' }, 4],
])('filters by %s', async (_, filter, total) => {
  expect((await rows(filter)).total).toBe(total)
})

test('filters by time, in any offset, without the end itself', async () => {
  const [, , profit] = (await rows()).results
  const at = profit?.date ?? ''
  const inTokyo = new Date(Date.parse(at) + 9 * 3_600_000).toISOString().replace('Z', '+09:00')
  expect((await rows({ date_from: inTokyo })).total).toBe(3)
  expect((await rows({ date_to: at })).total).toBe(1)
  expect((await moves({ date_from: at, code: '7' })).total).toBe(1)
  expect((await moves({ date_from: at.slice(0, 10) })).total).toBe(4)
})

test('pages by limit and offset', async () => {
  const { results, total, limit, offset } = await rows({ limit: 1, offset: 2 })
  expect([results[0]?.type, total, limit, offset]).toEqual(['referral_profit', 4, 1, 2])
  expect((await moves({ offset: 9 })).results).toEqual([])
})

test.each([{ type: 'burned' }, { type: '99' }, { balance_type: '5' }, { date_from: 'yesterday' }])(
  'refuses the filter %j',
  async (filter) => {
    const refused = await world.api(moneyFlow.list, { project_id: projectId, ...filter }, { as: ann })
    expect(refused).toMatchObject({ status: 400, error: { name: 'I18nValidationException' } })
  },
)

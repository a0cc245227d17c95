// Promo codes, payouts and the referral percent over HTTP, for operators: each change is logged.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payouts } from '#contract/areas/billing/payouts.ts'
import { referrals } from '#contract/areas/billing/referrals.ts'
import { payouts as queue } from '#contract/areas/operator/payouts.ts'
import { promos } from '#contract/areas/operator/promos.ts'
import { promo } from '#contract/areas/tariffs/promo.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { newWay } from '#server/testing/promos.ts'
import { topUp } from '#server/testing/tariffs.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let operator: Person
beforeAll(async () => {
  world = await testApp()
  operator = await newOperator(world)
})
afterAll(() => world.close())

const reason = 'A test'
const logged = async (action: string) =>
  world.app.db.selectFrom('operator_log').selectAll().where('action', '=', action).orderBy('id', 'desc').execute()

/** A project with a payout of 20.00 that waits. */
async function waiting() {
  const ann = await world.user()
  const way = await newWay(world.app.db)
  await topUp({ db: world.app.db, clock: world.clock }, ann.projectId, { bonus: 0, payment: 0, profit: 2000 })
  const request = {
    project_id: ann.projectId,
    payout_system_account_id: way,
    amount: 2000,
    wallet_value: 'IBAN 0001 2345',
  }
  await world.api(payouts.create, request, { as: ann })
  const [row] = (await world.api(queue.list, { status: 'waiting' }, { as: operator })).body.results
  return { ann, row, payout_id: row?.payout_id ?? 0 }
}
const statusOf = async (ann: Person) =>
  (await world.api(payouts.list, { project_id: ann.projectId }, { as: ann })).body.results[0]

test('shows the account of a payout, and marks it as sent with a reference', async () => {
  const { ann, row, payout_id } = await waiting()
  expect(row).toMatchObject({ wallet: 'IBAN 0001 2345', amount: 2000, commission: 50, project_id: ann.projectId })
  expect((await world.api(queue.sent, { payout_id, reference: 'T-1', reason }, { as: operator })).error).toBeUndefined()
  expect(await statusOf(ann)).toMatchObject({ status: 'sent', reference: 'T-1', reason: null })
  expect(await getBalance(world.app.db, ann.projectId)).toMatchObject({ profit: 0 })
  expect((await world.api(queue.refuse, { payout_id, reason }, { as: operator })).error?.name).toBe('PayoutDone')
  expect((await logged('payout_sent'))[0]).toMatchObject({ user_id: operator.id, project_id: ann.projectId, reason })
  expect(JSON.stringify(await logged('payout_sent'))).not.toContain('IBAN')
})

test('returns the amount of a refused payout', async () => {
  const { ann, payout_id } = await waiting()
  await world.api(queue.refuse, { payout_id, reason: 'Wrong account' }, { as: operator })
  expect(await statusOf(ann)).toMatchObject({ status: 'refused', reason: 'Wrong account' })
  expect(await getBalance(world.app.db, ann.projectId)).toMatchObject({ profit: 2000 })
})

test('names a payout and a way that do not exist', async () => {
  const refused = await world.api(queue.refuse, { payout_id: 999_999, reason }, { as: operator })
  expect(refused).toMatchObject({ status: 404, error: { name: 'PayoutNotFound', msg: 'This payout does not exist.' } })
  const [way] = (await world.api(queue.ways, {}, { as: operator })).body.results
  if (!way) throw new Error('No way')
  const unknown = await world.api(queue.setWay, { ...way, way_id: 999_999, reason }, { as: operator })
  expect(unknown).toMatchObject({ status: 404, error: { name: 'PayoutWayNotFound' } })
})

test('adds and changes ways to pay out', async () => {
  const way = {
    title: 'Transfer',
    description: '',
    currency: 'rub',
    commission: 100,
    commission_type: 'percent',
    min_amount: 100,
    max_amount: 5000,
    active: true,
  } as const
  await world.api(queue.setWay, { ...way, reason }, { as: operator })
  const ways = async () => (await world.api(queue.ways, {}, { as: operator })).body.results
  const way_id = (await ways()).find(({ title }) => title === 'Transfer')?.way_id
  await world.api(queue.setWay, { ...way, way_id, active: false, reason }, { as: operator })
  expect((await ways()).find((one) => one.way_id === way_id)).toEqual({ ...way, way_id, active: false })
  const wrong = await world.api(queue.setWay, { ...way, max_amount: 99, reason }, { as: operator })
  expect(wrong.error?.name).toBe('PayoutLimits')
  expect(await logged('payout_way')).toHaveLength(2)
})

test('creates promo codes of both kinds, lists their uses, and ends them', async () => {
  const ann = await world.user()
  const credit = { code: 'spring', name: 'Spring', type: 'top_up', amount_usd: 700, uses_max: 10, reason } as const
  const plan = { code: 'MONTH', name: 'A month', type: 'restream', plan_id: 2, period: 'month', reason } as const
  for (const code of [credit, plan])
    expect((await world.api(promos.create, code, { as: operator })).error).toBeUndefined()
  expect((await world.api(promos.create, credit, { as: operator })).error?.name).toBe('PromoExists')
  const of = { project_id: ann.projectId }
  for (const code of ['SPRING', 'month']) await world.api(promo.apply, { ...of, code }, { as: ann })
  const list = async () => (await world.api(promos.list, {}, { as: operator })).body.results
  expect(await list()).toMatchObject([
    { code: 'MONTH', type: 'restream', plan: { id: 2, title: 'Start', period: 'month' }, uses: 1, uses_max: null },
    { code: 'SPRING', type: 'top_up', amount_usd: 700, amount_rub: null, uses: 1, uses_max: 10, date_end: null },
  ])
  const promo_id = (await list())[1]?.promo_id ?? 0
  await world.api(promos.end, { promo_id, reason }, { as: operator })
  const ended = await world.api(promos.end, { promo_id, reason }, { as: operator })
  expect(ended).toMatchObject({ status: 404, error: { name: 'PromoNotFound' } })
  const eve = await world.user()
  const late = await world.api(promo.apply, { project_id: eve.projectId, code: 'SPRING' }, { as: eve })
  expect(late.error?.name).toBe('PromoEnded')
})

test.each([
  { code: 'EMPTY1', name: 'Empty', type: 'top_up' },
  { code: 'EMPTY2', name: 'Empty', type: 'storage', plan_id: 1 },
] as const)('refuses an incomplete code %j', async (code) => {
  const refused = await world.api(promos.create, { ...code, reason }, { as: operator })
  expect(refused.error?.name).toBe('PromoIncomplete')
})

test('sets the referral percent', async () => {
  const ann = await world.user()
  const percent = async () => (await world.api(referrals.info, { project_id: ann.projectId }, { as: ann })).body.percent
  expect(await percent()).toBe(0)
  await world.api(queue.setReferral, { percent: 12.5, reason }, { as: operator })
  expect(await percent()).toBe(12.5)
  expect((await world.api(queue.referral, {}, { as: operator })).body).toEqual({ percent: 12.5 })
})

// Payouts over HTTP: limits, held amounts, and the masked account.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { moneyFlow } from '#contract/areas/billing/money-flow.ts'
import { paySettings } from '#contract/areas/billing/pay-settings.ts'
import { payouts } from '#contract/areas/billing/payouts.ts'
import type { Input } from '#contract/core/operation.ts'
import { russia } from '#contract/entities/countries.ts'
import { commissionOf, endPayout, walletOf } from '#server/domain/billing/payouts/payouts.ts'
import { findPayout, findWay } from '#server/domain/billing/payouts/store.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { setBalance } from '#server/testing/billing.ts'
import { newWay } from '#server/testing/promos.ts'
import { brokenRules, topUp } from '#server/testing/tariffs.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let way: number
beforeAll(async () => {
  world = await testApp()
  way = await newWay(world.app.db)
})
afterAll(() => world.close())

/** A user whose project holds 180.00 of bonus, 50.00 paid in, 30.00 earned. */
async function earner(): Promise<Person> {
  const person = await world.user()
  await topUp({ db: world.app.db, clock: world.clock }, person.projectId, { bonus: 0, payment: 5000, profit: 3000 })
  return person
}

const create = (person: Person, change: Partial<Input<typeof payouts.create>> = {}) =>
  world.api(
    payouts.create,
    {
      project_id: person.projectId,
      payout_system_account_id: way,
      amount: 2000,
      wallet_value: '4000 0000 0000 1234',
      ...change,
    },
    { as: person },
  )
const list = async (person: Person) =>
  (await world.api(payouts.list, { project_id: person.projectId }, { as: person })).body.results
const held = ({ projectId }: Person) => getBalance(world.app.db, projectId)

test('offers the active ways in the currency of the project', async () => {
  await newWay(world.app.db, { title: 'Closed', active: 0 })
  await newWay(world.app.db, { title: 'Roubles', currency: 'rub' })
  const ann = await earner()
  const { results } = (await world.api(payouts.prepare, { project_id: ann.projectId }, { as: ann })).body
  expect(results).toEqual([
    {
      payout_system_account_id: way,
      payout_system_id: way,
      title: 'Bank card',
      description: 'Within 3 days',
      commission: 2.5,
      commission_type: 'percent',
      active: true,
      currency: 'usd',
      min_amount: 1000,
      max_amount: 100_000,
    },
  ])
})

test('takes the amount from the earned balance immediately, and shows the account masked', async () => {
  const ann = await earner()
  expect((await create(ann)).body).toEqual({ success: true })
  expect(await held(ann)).toMatchObject({ payment: 5000, profit: 1000 })
  const [row] = await list(ann)
  expect(row).toMatchObject({ amount: 2000, commission: 50, wallet: '••••1234', status: 'waiting', date_end: null })
  const stored = await findPayout(world.app.db, row?.payout_id ?? 0)
  expect(JSON.stringify(stored)).not.toContain('4000 0000')
  expect(stored && walletOf(world.services, stored)).toBe('4000 0000 0000 1234')
  const flow = await world.api(moneyFlow.list, { project_id: ann.projectId, type: 'payout' }, { as: ann })
  expect(flow.body.results).toMatchObject([{ amount: -2000, balance: 3000, payout_id: row?.payout_id }])
})

test('returns the amount when it is cancelled or refused, once', async () => {
  const ann = await earner()
  await create(ann)
  const payout_id = (await list(ann))[0]?.payout_id ?? 0
  const cancel = () => world.api(payouts.cancel, { project_id: ann.projectId, payout_id }, { as: ann })
  expect((await cancel()).error).toBeUndefined()
  expect(await held(ann)).toMatchObject({ profit: 3000 })
  expect((await cancel()).error?.name).toBe('PayoutDone')
  const row = await findPayout(world.app.db, payout_id)
  if (!row) throw new Error('No payout')
  await expect(endPayout(world.services, row, 'sent', { userId: ann.id }, async () => {})).rejects.toMatchObject({
    name: 'PayoutDone',
  })
  expect(await held(ann)).toMatchObject({ profit: 3000 })
  expect(await brokenRules({ db: world.app.db, clock: world.clock }, ann.projectId)).toEqual([])
})

test('does not cancel a payout of another project', async () => {
  const [ann, eve] = [await earner(), await earner()]
  await create(ann)
  const payout_id = (await list(ann))[0]?.payout_id ?? 0
  const refused = await world.api(payouts.cancel, { project_id: eve.projectId, payout_id }, { as: eve })
  expect(refused).toMatchObject({ status: 404, error: { name: 'PayoutNotFound', msg: 'This payout does not exist.' } })
  expect((await list(ann))[0]?.status).toBe('waiting')
})

test.each<[string, Partial<Input<typeof payouts.create>>, string]>([
  ['more than was earned, although the other balances cover it', { amount: 3001 }, 'InsufficientBalance'],
  ['less than the way allows', { amount: 999 }, 'PayoutAmount'],
  ['an unknown way', { payout_system_account_id: 999_999 }, 'PayoutWayNotFound'],
  ['an account with a line break', { wallet_value: 'a\nb and more' }, 'I18nValidationException'],
])('refuses %s', async (_, change, name) => {
  const ann = await earner()
  expect((await create(ann, change)).error?.name).toBe(name)
  expect(await held(ann)).toMatchObject({ payment: 5000, profit: 3000 })
})

test('creates one payout per idempotency key, and refuses the key for another amount', async () => {
  const ann = await earner()
  const idempotency_key = 'key-of-a-payout'
  const both = await Promise.all([
    create(ann, { amount: 1000, idempotency_key }),
    create(ann, { amount: 1000, idempotency_key }),
  ])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(await held(ann)).toMatchObject({ profit: 2000 })
  expect((await create(ann, { amount: 2000, idempotency_key })).error?.name).toBe('IdempotencyKeyReused')
})

test('I11: parallel payouts never exceed the earned balance, and never touch the bonus', async () => {
  const ann = await earner()
  const before = await held(ann)
  const made = await Promise.all(Array.from({ length: 6 }, () => create(ann, { amount: 1000 })))
  expect(made.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(await held(ann)).toEqual({ ...before, profit: 0 })
})

test.each([
  ['percent', 250, 1, 1],
  ['percent', 250, 4000, 100],
  ['percent', 333, 1001, 34],
  ['fix', 150, 1000, 150],
] as const)('charges %s %i of %i: %i, rounded up', (commission_type, commission, amount, wanted) => {
  expect(commissionOf({ commission, commission_type }, amount)).toBe(wanted)
})

test('refuses a fixed commission that leaves nothing', async () => {
  const ann = await earner()
  const dear = await newWay(world.app.db, { commission: 2000, commission_type: 'fix' })
  expect((await findWay(world.app.db, dear))?.commission).toBe(2000)
  expect((await create(ann, { payout_system_account_id: dear })).error?.name).toBe('PayoutAmount')
})

test('a key with another account is refused, because the first account would get the money', async () => {
  const ann = await earner()
  const idempotency_key = 'a-key-of-a-payout'
  expect((await create(ann, { idempotency_key })).status).toBe(200)
  expect((await create(ann, { idempotency_key })).status).toBe(200)
  const other = await create(ann, { idempotency_key, wallet_value: '4000 0000 0000 9999' })
  expect(other.error?.name).toBe('IdempotencyKeyReused')
  expect((await held(ann)).profit).toBe(1000)
})

test('a payout that waits holds the currency, so that its return is worth the same', async () => {
  const ann = await earner()
  await create(ann, { amount: 3000 })
  await setBalance(world, ann.projectId, {})
  const input = { project_id: ann.projectId, country_id: russia }
  const refused = await world.api(paySettings.checkCountry, input, { as: ann })
  expect(refused.error).toMatchObject({ name: 'CurrencyInUse', data: { reasons: ['payments'] } })
})

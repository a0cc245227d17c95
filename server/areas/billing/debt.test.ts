// A debt after a dispute, over HTTP: balance, movements, payments, customers.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { moneyFlow } from '#contract/areas/billing/money-flow.ts'
import { transactions } from '#contract/areas/billing/transactions.ts'
import { customers } from '#contract/areas/operator/customers.ts'
import { payments } from '#contract/areas/operator/payments.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { setBalance } from '#server/testing/billing.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { makeOperator } from '#server/testing/test-app.ts'

let stripe: StripeWorld
/** Payment of 20.00 that is disputed after 15.00 were taken. */
let disputed: number
beforeEach(async () => {
  stripe = await StripeWorld.start({ INVOICE_DETAILS: 'IBAN' })
  const { world, ann } = stripe
  await setBalance(world, ann.projectId, {})
  await makeOperator(world, ann)
  disputed = await paidInvoice(2_000)
  await setBalance(world, ann.projectId, { payment: 500 })
  await world.api(payments.dispute, { payment_id: disputed, amount: 2_000, reason: 'Letter' }, { as: ann })
})
afterEach(() => stripe.close())

/** Pays an invoice of an amount with another one. */
async function paidInvoice(amount: number, more: object = {}): Promise<number> {
  const { world, ann } = stripe
  const { payment_id } = (await stripe.create(amount, { pay_system_id: 1, ...more })).body
  await stripe.open(payment_id).catch(() => undefined)
  await world.api(payments.markPaid, { payment_id, amount, reason: 'Statement' }, { as: ann })
  return payment_id
}

const input = () => ({ project_id: stripe.ann.projectId, limit: 50, offset: 0 })
const debtOf = async () =>
  (await stripe.world.api(projects.info, { project_id: stripe.ann.projectId }, { as: stripe.ann })).body.data.debt

/** Returns the movements of the debt, newest first: type, change and balance before. */
async function debtMoves() {
  const { results } = (await stripe.world.api(moneyFlow.list, input(), { as: stripe.ann })).body
  const found = results.filter(({ balance_type }) => balance_type === 4)
  return found.map(({ type, amount, balance }) => [type, amount, balance])
}

test('project info and the list of customers name the debt', async () => {
  const { world, ann } = stripe
  expect(await debtOf()).toBe(1_500)
  const [row] = (await world.api(customers.search, { query: String(ann.projectId) }, { as: ann })).body.results
  expect(row).toMatchObject({ project_id: ann.projectId, payment: 0, debt: 1_500 })
})

test('a top-up that pays a part of the debt is a movement, and its payment names the part', async () => {
  const id = await paidInvoice(1_000)
  expect(await stripe.get(id)).toMatchObject({ amount: 1_000, credited: 1_000, debt_paid: 1_000 })
  expect(await debtOf()).toBe(500)
  expect(await debtMoves()).toEqual([
    ['payment', 1_000, -1_500],
    ['payment_cancel', -1_500, 0],
  ])
})

test('a top-up above the debt pays it and fills the balance', async () => {
  const id = await paidInvoice(2_000)
  expect(await stripe.get(id)).toMatchObject({ credited: 2_000, debt_paid: 1_500 })
  expect(await stripe.get(disputed)).toMatchObject({ credited: 2_000, debt_paid: 0 })
  expect([await debtOf(), await stripe.paid()]).toEqual([0, 500])
})

test('filters movements of the debt, and counts them in transactions', async () => {
  const { world, ann } = stripe
  const { body } = await world.api(moneyFlow.list, { ...input(), balance_type: 'debt' }, { as: ann })
  expect([body.total, body.results.map(({ balance_type }) => balance_type)]).toEqual([1, [4]])
  const [last] = (await world.api(transactions.list, input(), { as: ann })).body.results
  expect(last).toMatchObject({ sum: '-2000', type: 'out' })
})

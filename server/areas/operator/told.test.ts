// Owners are notified of what operators and providers do with their money: invoices, credits, refunds, disputes, debts, gifts, payouts.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { payouts as ofProject } from '#contract/areas/billing/payouts.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { customers } from '#contract/areas/operator/customers.ts'
import { payments } from '#contract/areas/operator/payments.ts'
import { payouts } from '#contract/areas/operator/payouts.ts'
import { setBalance } from '#server/testing/billing.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { newWay } from '#server/testing/promos.ts'
import { newOperator, type Person } from '#server/testing/test-app.ts'

const reason = 'Wrong account'
let stripe: StripeWorld
let operator: Person
beforeEach(async () => {
  stripe = await StripeWorld.start({ INVOICE_DETAILS: 'IBAN' })
  operator = await newOperator(stripe.world)
})
afterEach(() => stripe.close())

const api: StripeWorld['world']['api'] = (...args) => stripe.world.api(...args)
const as = () => ({ as: operator })

/** Kinds and English titles of the owner's notifications, oldest first. */
async function told() {
  const { results } = (await api(history.list, { limit: 100 }, { as: stripe.ann })).body
  const titleOf = (row: (typeof results)[number]) => row.text.find((one) => one.language_iso === 'en')?.title
  return results.toReversed().map((row) => [row.name, titleOf(row)])
}

async function paidInvoice(amount: number): Promise<number> {
  const { payment_id } = (await stripe.create(amount, { pay_system_id: 1 })).body
  await stripe.open(payment_id).catch(() => undefined)
  await api(payments.markPaid, { payment_id, amount, reason }, as())
  return payment_id
}

test('of a refund once, also when the provider reports it', async () => {
  const { payment_id } = await stripe.topUp(2_500)
  expect((await api(payments.refund, { payment_id, amount: 700, reason }, as())).status).toBe(200)
  await stripe.checked()
  await stripe.checked()
  expect(await told()).toEqual([
    ['balance_credited', '25.00 USD arrived'],
    ['payment_refunded', '7.00 USD was refunded'],
  ])
})

test('of a dispute and its end', async () => {
  const payment_id = await paidInvoice(2_000)
  await api(payments.dispute, { payment_id, amount: 500, reason }, as())
  await api(payments.endDispute, { payment_id, won: true, reason }, as())
  expect(await told()).toEqual([
    ['invoice_issued', 'Invoice I-2026-000001 for 20.00 USD'],
    ['balance_credited', '20.00 USD arrived'],
    ['payment_disputed', '5.00 USD was disputed'],
    ['payment_dispute_won', 'The dispute of 5.00 USD has ended'],
  ])
})

test('of a dispute that is lost, once', async () => {
  const payment_id = await paidInvoice(2_000)
  await api(payments.dispute, { payment_id, amount: 500, reason }, as())
  await api(payments.endDispute, { payment_id, won: false, reason }, as())
  await stripe.checked()
  expect((await told()).slice(3)).toEqual([['payment_dispute_lost', 'The dispute of 5.00 USD has ended']])
})

test('of a debt, and of how much of a top-up paid it', async () => {
  const { world, ann } = stripe
  const payment_id = await paidInvoice(2_000)
  await setBalance(world, ann.projectId, { payment: 600 })
  await api(payments.dispute, { payment_id, amount: 2_000, reason }, as())
  await paidInvoice(1_000)
  await paidInvoice(1_000)
  const [opened, , part, , rest] = (await told()).slice(3)
  expect([opened, part, rest]).toEqual([
    ['debt_opened', 'Your project owes 14.00 USD'],
    ['balance_credited', '10.00 USD arrived, 10.00 USD paid your debt'],
    ['balance_credited', '10.00 USD arrived, 4.00 USD paid your debt'],
  ])
  const texts = (await api(history.list, { limit: 100 }, { as: ann })).body.results.map(
    ({ text }) => text.find((one) => one.language_iso === 'en')?.text,
  )
  expect(texts[2]).toBe('10.00 USD paid your debt. You still owe 4.00 USD.')
  expect(texts[0]).toBe('4.00 USD paid your debt, and 6.00 USD is in the balance.')
})

test('of two refunds of the same amount at the same time, each once', async () => {
  const { payment_id } = await stripe.topUp(2_500)
  await api(payments.refund, { payment_id, amount: 700, reason }, as())
  await api(payments.refund, { payment_id, amount: 700, reason }, as())
  await stripe.checked()
  expect((await told()).filter(([kind]) => kind === 'payment_refunded')).toHaveLength(2)
})

test('of a refund that failed after it was sent', async () => {
  const { payment_id } = await stripe.topUp(2_500)
  await api(payments.refund, { payment_id, amount: 700, reason }, as())
  const [sent] = stripe.double.state.refunds.values()
  if (sent) stripe.double.tell('refund.failed', Object.assign(sent, { status: 'failed' }))
  const messages = stripe.double.messages.splice(0)
  for (let at = 0; at < 2; at++) await stripe.deliver(messages)
  expect((await told()).slice(2)).toEqual([['payment_refund_failed', 'The refund of 7.00 USD failed']])
})

test('of money that the operator credits, once per key', async () => {
  const input = { target_project_id: stripe.ann.projectId, balance: 'payment', amount: 500, reason } as const
  for (let at = 0; at < 2; at++) await api(customers.changeBalance, { ...input, idempotency_key: 'one-credit' }, as())
  expect(await told()).toEqual([['balance_credited', '5.00 USD was credited by the operator']])
})

test('of a gift once per key', async () => {
  const input = {
    target_project_id: stripe.ann.projectId,
    line: 'restream',
    plan_id: 3,
    period: 'month',
    reason,
  } as const
  for (let at = 0; at < 2; at++) await api(customers.gift, { ...input, idempotency_key: 'one-gift' }, as())
  const [gift, ...others] = await told()
  expect([gift?.[0], others]).toEqual(['plan_given', []])
  expect(gift?.[1]).toMatch(/^Restream: you were given “/)
})

test('of a change of the plan once per key, with the amount', async () => {
  const { world, ann } = stripe
  await setBalance(world, ann.projectId, { payment: 5_000 })
  const wanted = { target_project_id: ann.projectId, line: 'restream', plan_id: 3, period: 'month' } as const
  const { price, refund } = (await api(customers.planChange, wanted, as())).body
  const input = { ...wanted, quote_total: price - refund, reason, idempotency_key: 'one-change' }
  for (let at = 0; at < 2; at++) await api(customers.changePlan, input, as())
  const [change, ...others] = await told()
  expect([change?.[0], others]).toEqual(['plan_changed', []])
  expect(change?.[1]).toMatch(/^Restream: the operator changed the plan to “/)
})

test('of a payout that was sent, and of one that was refused', async () => {
  const { world, ann } = stripe
  await setBalance(world, ann.projectId, { profit: 5_000 })
  const way = await newWay(world.app.db)
  const request = { project_id: ann.projectId, payout_system_account_id: way, amount: 2_000, wallet_value: 'IBAN 1' }
  for (let at = 0; at < 2; at++) expect((await api(ofProject.create, request, { as: ann })).status).toBe(200)
  const [second, first] = (await api(payouts.list, { status: 'waiting' }, as())).body.results
  await api(payouts.sent, { payout_id: first?.payout_id ?? 0, reference: 'T-1', reason }, as())
  await api(payouts.refuse, { payout_id: second?.payout_id ?? 0, reason }, as())
  expect(await told()).toEqual([
    ['payout_sent', 'The payout of 20.00 USD was sent'],
    ['payout_refused', 'The payout of 20.00 USD was refused'],
  ])
})

// Operators mark invoices as paid and refund payments.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { customers } from '#contract/areas/operator/customers.ts'
import { payments } from '#contract/areas/operator/payments.ts'
import { checkPayment } from '#server/domain/billing/payments/checks.ts'
import { balanceMaxMinor, getBalance } from '#server/domain/money/ledger.ts'
import { setBalance } from '#server/testing/billing.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { makeOperator } from '#server/testing/test-app.ts'

let stripe: StripeWorld
beforeEach(async () => {
  stripe = await StripeWorld.start({ INVOICE_DETAILS: 'IBAN' })
  const { world, ann } = stripe
  await makeOperator(world, ann)
})
afterEach(() => stripe.close())

const paid = async () => (await getBalance(stripe.world.app.db, stripe.ann.projectId)).payment
const refund = (payment_id: number, amount: number) =>
  stripe.world.api(payments.refund, { payment_id, amount, reason: 'Asked by e-mail' }, { as: stripe.ann })

test('credits an invoice that is marked as paid, once', async () => {
  const { world, ann } = stripe
  const { payment_id } = (await stripe.create(2_000, { pay_system_id: 1 })).body
  const input = { payment_id, amount: 2_000, reason: 'Bank statement 7' }
  expect((await world.api(payments.markPaid, input, { as: ann })).error?.name).toBe('NoInvoice')
  await stripe.open(payment_id).catch(() => undefined)
  for (let at = 0; at < 2; at++) expect((await world.api(payments.markPaid, input, { as: ann })).status).toBe(200)
  expect(await paid()).toBe(2_000)
  const listed = await world.api(payments.list, {}, { as: ann })
  expect(listed.body).toMatchObject({ total: 1, results: [{ payment_id, status: 'success', pay_name: 'invoice' }] })
})

test('I7: refunds at most what the payment has left, and books the refund of Stripe once', async () => {
  const { payment_id } = await stripe.topUp(2_500)
  expect((await refund(payment_id, 2_501)).error).toMatchObject({ name: 'RefundTooHigh', data: { max_amount: 2_500 } })
  expect((await refund(payment_id, 700)).status).toBe(200)
  await stripe.checked()
  expect([await paid(), (await stripe.get(payment_id)).refunded]).toEqual([1_800, 700])
  expect((await refund(payment_id, 1_801)).error?.name).toBe('RefundTooHigh')
})

test('returns the amount of a refund that Stripe refuses', async () => {
  const { payment_id } = await stripe.topUp(2_500)
  stripe.double.faults.push('refused')
  expect((await refund(payment_id, 700)).error?.name).toBe('ProviderRefused')
  expect([await paid(), (await stripe.get(payment_id)).refunded]).toEqual([2_500, 0])
})

test('filters the list, and names what arrived instead of the amount of an invoice', async () => {
  const { world, ann } = stripe
  const { payment_id } = (await stripe.create(2_000, { pay_system_id: 1 })).body
  await stripe.open(payment_id).catch(() => undefined)
  await stripe.topUp(2_500)
  await world.api(payments.markPaid, { payment_id, amount: 1_900, reason: 'Statement 8' }, { as: ann })
  const idsOf = async (filter: object) =>
    (await world.api(payments.list, filter, { as: ann })).body.results.map((row) => row.payment_id)
  const [waiting] = (await world.api(payments.list, { status: 'review' }, { as: ann })).body.results
  expect(waiting).toMatchObject({
    payment_id,
    left: 0,
    review_case: { reason: 'amount', amount: 1_900, currency: 'usd' },
  })
  expect(await idsOf({ status: 'pending' })).toEqual([payment_id])
  expect(await idsOf({ provider: 'invoice' })).toEqual([payment_id])
  expect(await idsOf({ status: 'success', provider: 'invoice' })).toEqual([])
  expect(await idsOf({ project_id: ann.projectId })).toHaveLength(2)
  expect(await idsOf({ project_id: ann.projectId + 1000 })).toEqual([])
  const providers = (await world.api(payments.providers, {}, { as: ann })).body.results
  expect(providers.map(({ name, mismatches }) => [name, mismatches])).toEqual([
    ['stripe', 0],
    ['invoice', 0],
  ])
  await world.api(payments.markPaid, { payment_id, amount: 2_000, reason: 'Second transfer' }, { as: ann })
  expect(await idsOf({ status: 'review' })).toEqual([])
  expect(await paid()).toBe(4_500)
})

test('credits no later what the operator left while the balance was full', async () => {
  const { world, ann } = stripe
  const { payment_id, session } = await stripe.begin(2_500)
  await setBalance(world, ann.projectId, { payment: balanceMaxMinor - 1_000 })
  stripe.double.act(session, 'pay')
  await stripe.deliver()
  const [row] = (await world.api(payments.list, { status: 'review' }, { as: ann })).body.results
  expect(row).toMatchObject({ payment_id, review_case: { reason: 'amount', amount: 2_500, currency: 'usd' } })
  const decide = (book: boolean) =>
    world.api(payments.resolve, { payment_id, book, reason: 'Returned at Stripe' }, { as: ann })
  expect((await decide(true)).error?.name).toBe('BalanceTooHigh')
  expect((await decide(false)).status).toBe(200)
  await setBalance(world, ann.projectId, {})
  await checkPayment(world.services, payment_id)
  expect([await paid(), await stripe.get(payment_id)]).toMatchObject([0, { status: 'error', reason: 'review_left' }])
})

test('credits an invoice that is marked as paid again after it was left', async () => {
  const { world, ann } = stripe
  const { payment_id } = (await stripe.create(2_000, { pay_system_id: 1 })).body
  await stripe.open(payment_id).catch(() => undefined)
  const mark = (amount: number) => world.api(payments.markPaid, { payment_id, amount, reason: 'Letter' }, { as: ann })
  const waiting = async () =>
    (await world.api(payments.list, { status: 'review' }, { as: ann })).body.results.map((row) => row.review_case)
  await mark(1_900)
  await world.api(payments.resolve, { payment_id, book: false, reason: 'Sent back' }, { as: ann })
  await mark(1_950)
  expect(await waiting()).toMatchObject([{ reason: 'amount', amount: 1_950 }])
  await mark(2_000)
  expect([await waiting(), await paid()]).toEqual([[], 2_000])
})

test.each([true, false])('credits what arrived once or leaves it, and logs the decision: %s', async (book) => {
  const { world, ann } = stripe
  const { payment_id } = (await stripe.create(2_000, { pay_system_id: 1 })).body
  await stripe.open(payment_id).catch(() => undefined)
  await world.api(payments.markPaid, { payment_id, amount: 1_900, reason: 'Statement 8' }, { as: ann })
  const decide = () => world.api(payments.resolve, { payment_id, book, reason: 'Agreed' }, { as: ann })
  expect((await decide()).status).toBe(200)
  expect((await decide()).error?.name).toBe('NoReview')
  await stripe.pass(3_600_000)
  await stripe.checked()
  expect(await paid()).toBe(book ? 1_900 : 0)
  const [row] = (await world.api(payments.list, {}, { as: stripe.ann })).body.results
  expect(row).toMatchObject(
    book
      ? { status: 'success', left: 1_900, review: false, review_case: null }
      : { status: 'error', reason: 'review_left', left: 0, review: false },
  )
  expect((await world.api(payments.list, { status: 'review' }, { as: stripe.ann })).body.total).toBe(0)
  const log = (await world.api(customers.log, {}, { as: stripe.ann })).body.results
  expect(log[0]).toMatchObject({ action: book ? 'review_booked' : 'review_left', reason: 'Agreed' })
})

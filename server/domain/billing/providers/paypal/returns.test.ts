// Money that PayPal takes back: refunds, disputes and reconciliation, against the stateful double, on both databases.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { payments } from '#contract/areas/operator/payments.ts'
import { later } from '#server/core/clock.ts'
import { ProviderUnavailableError } from '#server/core/provider-http.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import { eventually } from '#server/testing/eventually.ts'
import { PaypalWorld } from '#server/testing/pay/paypal-world.ts'
import { topUp } from '#server/testing/tariffs.ts'
import type { Listed } from '#server/domain/billing/providers/provider.ts'
import { findProvider } from '#server/domain/billing/providers/registry.ts'
import { makeOperator } from '#server/testing/test-app.ts'
import { listChecks, reconcile, runRefunds } from '#server/testing/pay/pay-jobs.ts'

let paypal: PaypalWorld
beforeEach(async () => {
  paypal = await PaypalWorld.start()
  const { world, ann } = paypal
  await makeOperator(world, ann)
})
afterEach(() => paypal.end())

const spend = (payment: number) =>
  topUp({ db: paypal.world.app.db, clock: paypal.world.clock }, paypal.ann.projectId, {
    ...emptyBalance,
    payment: -payment,
  })
const refund = (payment_id: number, amount: number) =>
  paypal.world.api(payments.refund, { payment_id, amount, reason: 'Asked by e-mail' }, { as: paypal.ann })
const hour = 3_600_000

const provider = () =>
  paypal.world.app.db.selectFrom('pay_providers').selectAll().where('provider', '=', 'paypal').executeTakeFirst()

/** Reconciles an hour later. The job of the service may be first. */
async function reconciled(): Promise<void> {
  await paypal.pass(hour + 1_000)
  const now = paypal.world.clock.now().toISOString()
  await eventually(async () => {
    await reconcile(paypal.world.services)
    return ((await provider())?.date_reconciled ?? '') >= now
  })
}

test('reconciliation settles captures and refunds without a message, and finds one that only one side has', async () => {
  const { payment_id, order } = await paypal.begin(2_500)
  order.status = 'APPROVED'
  const capture = paypal.double.state.capture(order)
  paypal.double.state.refund(capture, '7.00')
  for (let at = 0; at < 3; at++) await paypal.topUp(1_000)
  await reconciled()
  expect(await paypal.get(payment_id)).toMatchObject({ status: 'success', refunded: 700 })
  expect(await provider()).toMatchObject({ mismatches: 0 })
  // An old payment is refunded at PayPal, and one is not listed any more.
  await paypal.pass(40 * 24 * hour)
  await reconciled()
  const lost = await paypal.topUp(500)
  await paypal.pass(13 * hour)
  paypal.double.state.refund(capture, '3.00')
  paypal.double.state.orders.delete(lost.order.id)
  await reconciled()
  expect(await paypal.get(payment_id)).toMatchObject({ refunded: 1_000 })
  expect(await provider()).toMatchObject({ mismatches: 1 })
  paypal.expected.push('clearing has 5000, PayPal 4500')
})

test('reconciliation reads the list and no payment that is credited, unless it was refunded', async () => {
  for (let at = 0; at < 5; at++) await paypal.topUp(1_000)
  const { capture } = await paypal.topUp(2_500)
  const { double } = paypal
  double.state.refund(capture, '7.00')
  const before = double.calls.length
  await reconciled()
  const reads = double.calls.slice(before).filter((call) => call.startsWith('GET v2/'))
  expect(new Set(reads)).toEqual(
    new Set([
      `GET v2/payments/captures/${capture.id}`,
      `GET v2/checkout/orders/${double.state.orderOf(capture.id).id}`,
    ]),
  )
  expect(await provider()).toMatchObject({ mismatches: 0 })
  expect(await paypal.paid()).toBe(6_800)
})

test('credits while the app may not read disputes and transactions, and reports no reconciliation', async () => {
  paypal.double.mayRead = 'nothing'
  await paypal.topUp(2_500)
  expect(await paypal.paid()).toBe(2_500)
  await reconcile(paypal.world.services)
  expect((await provider())?.date_reconciled ?? null).toBeNull()
  // It is repeated after five minutes, and not before.
  paypal.double.mayRead = 'all'
  await reconcile(paypal.world.services)
  expect((await provider())?.date_reconciled ?? null).toBeNull()
  await paypal.pass(5 * 60_000 + 1_000)
  await eventually(async () => {
    await reconcile(paypal.world.services)
    return typeof (await provider())?.date_reconciled === 'string'
  })
})

test('reconciliation counts a payment that it cannot read, and settles the others', async () => {
  const begun = [await paypal.begin(1_000), await paypal.begin(2_500)]
  for (const { order } of begun) {
    order.status = 'APPROVED'
    paypal.double.state.capture(order)
  }
  const [broken, fine] = begun as [(typeof begun)[0], (typeof begun)[0]]
  const { status } = broken.order
  Object.assign(broken.order, { status: null })
  await reconciled()
  expect(await provider()).toMatchObject({ mismatches: 1 })
  expect((await paypal.get(fine.payment_id)).status).toBe('success')
  expect((await paypal.get(broken.payment_id)).status).toBe('pending')
  Object.assign(broken.order, { status })
  await reconciled()
  expect(await provider()).toMatchObject({ mismatches: 0 })
  expect((await paypal.get(broken.payment_id)).status).toBe('success')
})

test('reconciliation without the permission for disputes settles the rest and counts a difference', async () => {
  paypal.double.mayRead = 'transactions'
  const { order, payment_id } = await paypal.begin(2_500)
  order.status = 'APPROVED'
  paypal.double.state.capture(order)
  await reconciled()
  expect(await provider()).toMatchObject({ mismatches: 1 })
  expect((await paypal.get(payment_id)).status).toBe('success')
})

test('settles a payment while disputes cannot be read, and takes a dispute when they can', async () => {
  const { double } = paypal
  double.disputesDown = 'all'
  const { payment_id, capture } = await paypal.topUp(2_500)
  expect([(await paypal.get(payment_id)).status, await paypal.paid()]).toEqual(['success', 2_500])
  double.state.lose(double.state.dispute(capture), '25.00')
  await paypal.pass(hour)
  await paypal.checked()
  expect(await paypal.get(payment_id)).toMatchObject({ disputed: 0 })
  double.disputesDown = 'none'
  await paypal.pass(hour)
  await paypal.checked()
  expect(await paypal.get(payment_id)).toMatchObject({ disputed: 2_500 })
  expect(await paypal.paid()).toBe(0)
})

test('reconciliation settles payments while disputes cannot be read', async () => {
  const { order, payment_id } = await paypal.begin(2_500)
  order.status = 'APPROVED'
  paypal.double.state.capture(order)
  paypal.double.disputesDown = 'all'
  await paypal.pass(hour + 1_000)
  await reconcile(paypal.world.services)
  expect((await paypal.get(payment_id)).status).toBe('success')
})

test('lists credits before it fails while the list of disputes is down', async () => {
  await paypal.topUp(2_500)
  await paypal.pass(1_000)
  paypal.double.disputesDown = 'list'
  const { services } = paypal.world
  const listed: Listed[] = []
  const list = async () => {
    for await (const one of findProvider(services, 'paypal')?.since(later(services.clock.now(), -24 * hour)) ?? [])
      listed.push(one)
  }
  await expect(list()).rejects.toThrow(ProviderUnavailableError)
  expect(listed).toHaveLength(1)
})

test('billing check 10: a lost dispute of spent money becomes a debt, which the next top-up pays; an appeal that is won returns it', async () => {
  const { capture } = await paypal.topUp(2_500)
  await spend(2_000)
  const { double } = paypal
  const dispute = double.state.dispute(capture)
  double.tell('CUSTOMER.DISPUTE.CREATED', dispute)
  await paypal.deliver()
  expect([await paypal.paid(), await paypal.debt()]).toEqual([500, 0])
  double.state.lose(dispute, '25.00')
  double.tell('CUSTOMER.DISPUTE.RESOLVED', dispute)
  await paypal.deliver()
  expect([await paypal.paid(), await paypal.debt()]).toEqual([0, 2_000])
  await paypal.topUp(1_500)
  expect([await paypal.paid(), await paypal.debt()]).toEqual([0, 500])
  double.state.win(dispute)
  double.tell('CUSTOMER.DISPUTE.UPDATED', dispute)
  await paypal.deliver()
  expect([await paypal.paid(), await paypal.debt()]).toEqual([2_000, 0])
})

test('books a settlement once that PayPal reports as a dispute and as a refund', async () => {
  const { capture } = await paypal.topUp(2_500)
  const dispute = paypal.double.state.dispute(capture)
  paypal.double.state.lose(dispute, '25.00')
  paypal.double.tell('CUSTOMER.DISPUTE.RESOLVED', dispute)
  await paypal.deliver()
  const reversal = paypal.double.state.refund(capture, '25.00')
  paypal.double.tell('PAYMENT.CAPTURE.REVERSED', reversal)
  await paypal.deliver()
  expect([await paypal.paid(), await paypal.debt()]).toEqual([0, 0])
  paypal.expected.push('clearing has 0, PayPal -2500')
})

test('sees a dispute of a payment whose order PayPal no longer shows', async () => {
  const { order, capture } = await paypal.topUp(2_500)
  paypal.double.gone.add(order.id)
  await paypal.pass(90 * 24 * hour)
  const dispute = paypal.double.state.dispute(capture)
  paypal.double.state.lose(dispute, '25.00')
  await reconciled()
  expect([await paypal.paid(), await paypal.debt()]).toEqual([0, 0])
  paypal.double.state.win(dispute)
  paypal.double.tell('CUSTOMER.DISPUTE.UPDATED', dispute)
  await paypal.deliver()
  expect([await paypal.paid(), await paypal.debt()]).toEqual([2_500, 0])
})

test('a refund of an order that PayPal no longer shows is a case after 30 days, and not checked again', async () => {
  const { payment_id, order } = await paypal.topUp(2_500)
  paypal.double.gone.add(order.id)
  expect((await refund(payment_id, 700)).status).toBe(200)
  const shown = async () =>
    (await paypal.world.api(payments.list, { status: 'review' }, { as: paypal.ann })).body.results.map((row) => [
      row.payment_id,
      row.review_case,
    ])
  await paypal.pass(29 * 24 * hour)
  await paypal.checked()
  expect(await shown()).toEqual([])
  await paypal.pass(24 * hour)
  await paypal.checked()
  expect(await shown()).toEqual([[payment_id, { reason: 'refund', amount: 700, currency: 'usd' }]])
  const close = { payment_id, book: false, reason: 'The refund arrived' }
  expect((await paypal.world.api(payments.resolve, close, { as: paypal.ann })).status).toBe(200)
  await paypal.checked()
  expect([await shown(), await listChecks(paypal.world.services), await paypal.paid()]).toEqual([[], [], 1_800])
})

test('refunds once when the answer was lost, after a busy answer too, and takes back what fails later', async () => {
  const { payment_id, capture } = await paypal.topUp(2_500)
  for (const fault of ['lost', 'busy'] as const) {
    paypal.double.faults.push(fault)
    expect((await refund(payment_id, 700)).status).toBe(200)
    await paypal.pass(61_000)
    await runRefunds(paypal.world.services)
    await paypal.deliver()
  }
  expect([await paypal.paid(), (await paypal.get(payment_id)).refunded]).toEqual([1_100, 1_400])
  const [first] = paypal.double.state.refunds
  if (first) first.status = 'FAILED'
  paypal.double.tell('PAYMENT.CAPTURE.REFUNDED', capture)
  await paypal.deliver()
  expect([await paypal.paid(), paypal.double.state.refunds.length]).toEqual([1_800, 2])
})

test('returns the amount of a refund that PayPal refuses, and sends a later one again', async () => {
  const { payment_id } = await paypal.topUp(2_500)
  paypal.double.faults.push('refused')
  expect((await refund(payment_id, 700)).error?.name).toBe('ProviderRefused')
  expect(await paypal.paid()).toBe(2_500)
  // PayPal has forgotten the key before the refund is sent again: it is found by its id.
  paypal.double.faults.push('lost')
  expect((await refund(payment_id, 700)).status).toBe(200)
  paypal.double.forget()
  await paypal.pass(61_000)
  await runRefunds(paypal.world.services)
  expect([await paypal.paid(), paypal.double.state.refunds.length]).toEqual([1_800, 1])
})

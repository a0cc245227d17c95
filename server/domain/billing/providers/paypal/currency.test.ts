// Disputes at PayPal in another currency than the payment's, against the stateful double, on both databases.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { payments } from '#contract/areas/operator/payments.ts'
import type { DoubleDispute } from '#server/testing/pay/paypal-state.ts'
import { PaypalWorld } from '#server/testing/pay/paypal-world.ts'
import { makeOperator } from '#server/testing/test-app.ts'

let paypal: PaypalWorld
beforeEach(async () => {
  paypal = await PaypalWorld.start()
  const { world, ann } = paypal
  await makeOperator(world, ann)
})
afterEach(() => paypal.end())

test('a dispute in another currency books nothing, and waits until the operator closes the case', async () => {
  const { payment_id, capture } = await paypal.topUp(2_500)
  const { double, world } = paypal
  const dispute = double.state.dispute(capture)
  double.state.lose(dispute, '23.00', 'EUR')
  for (let at = 0; at < 2; at++) {
    double.tell('CUSTOMER.DISPUTE.RESOLVED', dispute)
    await paypal.deliver()
  }
  expect([await paypal.paid(), await paypal.debt()]).toEqual([2_500, 0])
  const waiting = async () => (await world.api(payments.list, { status: 'review' }, { as: paypal.ann })).body.results
  expect(await waiting()).toMatchObject([
    { payment_id, review_case: { reason: 'return', amount: 2_300, currency: 'eur' } },
  ])
  const decide = (book: boolean) =>
    world.api(payments.resolve, { payment_id, book, reason: 'Taken by hand' }, { as: paypal.ann })
  expect((await decide(true)).error?.name).toBe('ReviewCurrency')
  expect((await decide(false)).status).toBe(200)
  expect((await decide(false)).error?.name).toBe('NoReview')
  double.tell('CUSTOMER.DISPUTE.RESOLVED', dispute)
  await paypal.deliver()
  expect(await waiting()).toEqual([])
  expect(await paypal.get(payment_id)).toMatchObject({ status: 'success', reason: null, review: false, disputed: 0 })
  // A refund of the payment is booked as ever.
  const refund = { payment_id, amount: 700, reason: 'Asked by e-mail' }
  expect((await world.api(payments.refund, refund, { as: paypal.ann })).status).toBe(200)
  await paypal.deliver()
  expect(await paypal.paid()).toBe(1_800)
  paypal.expected.push('clearing has 1800, PayPal -500')
})

test('shows a won dispute and a second dispute in another currency as cases of their own', async () => {
  const { payment_id, capture } = await paypal.topUp(2_500)
  const { double, world } = paypal
  const reported = async (dispute: DoubleDispute) => {
    double.tell('CUSTOMER.DISPUTE.UPDATED', dispute)
    await paypal.deliver()
  }
  const waiting = async () => {
    const { results } = (await world.api(payments.list, { status: 'review' }, { as: paypal.ann })).body
    return results.map(({ review_case: of }) => `${of?.reason} ${of?.amount} ${of?.currency}`)
  }
  // The close requests the check that opens the next case.
  const close = async () => {
    const input = { payment_id, book: false, reason: 'Adjusted by hand' }
    expect((await world.api(payments.resolve, input, { as: paypal.ann })).status).toBe(200)
    await paypal.checked()
  }
  const [first, second] = [double.state.dispute(capture), double.state.dispute(capture)]
  double.state.lose(first, '9.20', 'EUR')
  await reported(first)
  double.state.lose(second, '500', 'JPY')
  await reported(second)
  expect(await waiting()).toEqual(['return 920 eur'])
  await close()
  expect(await waiting()).toEqual(['return 50000 jpy'])
  await close()
  double.state.win(first)
  await reported(first)
  expect(await waiting()).toEqual(['reinstated 920 eur'])
  await close()
  expect([await waiting(), await paypal.paid()]).toEqual([[], 2_500])
  paypal.expected.push('clearing has 2500, PayPal -47500')
})

test('keeps the booked part of a dispute that is paid back in another currency', async () => {
  const { payment_id, capture } = await paypal.topUp(2_500)
  const { double, world } = paypal
  const dispute = double.state.dispute(capture)
  double.state.lose(dispute, '10.00')
  double.tell('CUSTOMER.DISPUTE.RESOLVED', dispute)
  await paypal.deliver()
  const amount = { currency_code: 'EUR', value: '9.20' }
  dispute.fund_movements.push({ party: 'SELLER', type: 'CREDIT', amount, reason: 'DISPUTE_SETTLEMENT' })
  double.tell('CUSTOMER.DISPUTE.UPDATED', dispute)
  await paypal.deliver()
  expect(await paypal.get(payment_id)).toMatchObject({ disputed: 1_000, review: true })
  const { results } = (await world.api(payments.list, { status: 'review' }, { as: paypal.ann })).body
  expect(results[0]?.review_case).toEqual({ reason: 'reinstated', amount: 920, currency: 'eur' })
  expect(await paypal.paid()).toBe(1_500)
  paypal.expected.push('clearing has 1500, PayPal 2420')
})

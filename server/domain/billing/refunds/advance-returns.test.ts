// Advances (54-FZ) of money that leaves the balance: refunds and disputes, and when it comes back.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { payments } from '#contract/areas/operator/payments.ts'
import { killIn } from '#server/testing/pay/pay-world.ts'
import { YookassaWorld } from '#server/testing/pay/yookassa-world.ts'
import { makeOperator } from '#server/testing/test-app.ts'
import { withoutJobs } from '#server/testing/without-jobs.ts'
import { listChecks, reconcile, runRefunds } from '#server/testing/pay/pay-jobs.ts'

/** Price of a month of plan 2, kopecks. */
const price = 39_000
/** Longer than a lease. */
const leaseMs = 61_000

let pay: YookassaWorld
beforeEach(async () => {
  withoutJobs()
  pay = await YookassaWorld.start()
  await makeOperator(pay.world, pay.ann)
})
afterEach(() => pay.end())

const refund = (payment_id: number, amount = price) =>
  pay.world.api(payments.refund, { payment_id, amount, reason: 'Asked by e-mail' }, { as: pay.ann })
const dispute = (payment_id: number, amount = price) =>
  pay.world.api(payments.dispute, { payment_id, amount, reason: 'Letter of the bank' }, { as: pay.ann })
const endDispute = (payment_id: number) =>
  pay.world.api(payments.endDispute, { payment_id, won: true, reason: 'Letter of the bank' }, { as: pay.ann })
const amounts = () => pay.closed.map(([payId, , amount]) => [payId, amount])

test('a refund returns the advance first, and the rest as paid in full', async () => {
  const { payment_id } = await pay.topUp(price + 10_000)
  await pay.buy()
  await pay.grant(20_000)
  expect((await refund(payment_id, 25_000)).status).toBe(200)
  expect(pay.double.bodies.at(-1)).toMatchObject({
    receipt: {
      items: [
        { description: 'Пополнение баланса', payment_mode: 'advance', amount: { value: '100.00' } },
        { description: 'Тариф', payment_mode: 'full_payment', amount: { value: '150.00' } },
      ],
    },
  })
})

test('a refused refund leaves the advance open', async () => {
  const { payment_id } = await pay.topUp(price)
  pay.double.failures.push('refused')
  await refund(payment_id, 25_000)
  await pay.buy()
  await pay.send()
  expect(amounts()).toEqual([[expect.anything(), '390.00']])
})

test('a refused refund of a spent top-up opens the later advance again', async () => {
  const first = await pay.topUp(price)
  const second = await pay.topUp(price)
  await pay.buy()
  pay.double.failures.push('refused')
  await refund(first.payment_id)
  expect(await pay.paid()).toBe(price)
  await pay.buy()
  await pay.send()
  // They are sent at the same time.
  expect(new Set(amounts())).toEqual(
    new Set([
      [first.payId, '390.00'],
      [second.payId, '390.00'],
    ]),
  )
})

test('money of a refused refund that pays a debt opens no advance', async () => {
  const spent = await pay.topUp(price)
  await pay.buy()
  const { payment_id } = await pay.topUp(price)
  const victim = await pay.world.replica()
  const input = { payment_id, amount: price, reason: 'Asked by e-mail' }
  await killIn(pay.double, { call: 'POST refunds', effect: false }, () =>
    pay.world.api(payments.refund, input, { as: pay.ann, through: victim }),
  )
  await dispute(spent.payment_id)
  expect(await pay.debt()).toBe(price)
  await pay.pass(leaseMs)
  pay.double.failures.push('refused')
  await runRefunds(pay.world.services)
  expect([await pay.debt(), await pay.paid()]).toEqual([0, 0])
  await pay.grant(price)
  await pay.buy()
  await pay.send()
  expect(amounts()).toEqual([[spent.payId, '390.00']])
})

test('a refund that YooKassa cancels comes back with its advance', async () => {
  const { payment_id, payId } = await pay.topUp(price)
  pay.double.refundStates.push('canceled')
  expect((await refund(payment_id)).error?.name).toBe('ProviderRefused')
  expect(await pay.paid()).toBe(price)
  await pay.buy()
  await pay.send()
  expect(amounts()).toEqual([[payId, '390.00']])
})

test('a refund that YooKassa cancels later comes back once', async () => {
  const { payment_id } = await pay.topUp(price)
  pay.double.refundStates.push('pending')
  await refund(payment_id)
  expect(await pay.paid()).toBe(0)
  for (const one of pay.double.refunds.values()) one.status = 'canceled'
  await pay.pass(3_600_000)
  await reconcile(pay.world.services)
  expect(await pay.paid()).toBe(price)
  await pay.pass(3_600_000)
  await reconcile(pay.world.services)
  expect(await pay.paid()).toBe(price)
})

test('a refund that YooKassa cancels after four days comes back', async () => {
  const { payment_id, payId } = await pay.topUp(price)
  pay.double.refundStates.push('pending', 'pending')
  await refund(payment_id, price - 10_000)
  // Seen first by reconciliation.
  pay.double.refundByShop(payId, '100.00')
  for (let hours = 0; hours < 96; hours += 24) {
    await pay.pass(24 * 3_600_000)
    await reconcile(pay.world.services)
    expect((await pay.get(payment_id)).refunded).toBe(price)
    await pay.checked()
  }
  for (const one of pay.double.refunds.values()) one.status = 'canceled'
  await pay.pass(3_600_000)
  await pay.checked()
  expect(await pay.paid()).toBe(price)
  expect(await listChecks(pay.world.services)).toEqual([])
})

test('a dispute that is won opens the advance again', async () => {
  const { payment_id, payId } = await pay.topUp(price)
  await dispute(payment_id)
  await endDispute(payment_id)
  expect(await pay.paid()).toBe(price)
  await pay.buy()
  await pay.send()
  expect(amounts()).toEqual([[payId, '390.00']])
})

// Billing check 7 with PayPal: a replica is killed in each call of a payment, and another one continues on the same database.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { payments } from '#contract/areas/operator/payments.ts'
import { eventually } from '#server/testing/eventually.ts'
import { PaypalWorld } from '#server/testing/pay/paypal-world.ts'
import { roundsOf } from '#server/testing/rounds.ts'
import { makeOperator } from '#server/testing/test-app.ts'
import { runChecks, runRefunds } from '#server/testing/pay/pay-jobs.ts'

const rounds = roundsOf({ usual: 3, nightly: 20 })
/** Longer than every lease. */
const leaseMs = 61_000

let paypal: PaypalWorld
let victim: PaypalWorld['world']['app']
beforeEach(async () => {
  paypal = await PaypalWorld.start()
  victim = await paypal.world.replica()
})
afterEach(() => paypal.end())

const statusOf = async (id: number) => (await paypal.get(id)).status
const survive = async () => {
  await paypal.pass(leaseMs)
  await paypal.checked()
  await paypal.deliver()
}

test.each([false, true])(
  'billing check 7: killed while the payment begins (at PayPal: %s): one order, paid once',
  async (effect) => {
    for (let round = 1; round <= rounds; round++) {
      const { payment_id } = (await paypal.create(1_000)).body
      await paypal.kill('POST v2/checkout/orders', effect, () =>
        paypal.world.api(paySystems.create, { payment_id }, { as: paypal.ann, through: victim }),
      )
      const order = await paypal.open(payment_id)
      expect(paypal.double.state.orders.size).toBe(round)
      paypal.double.act(order, 'approve')
      await paypal.deliver()
      expect(await statusOf(payment_id)).toBe('success')
    }
    expect(await paypal.paid()).toBe(rounds * 1_000)
  },
)

test('billing check 7: killed after a message of PayPal was answered: another replica checks and captures', async () => {
  for (let round = 1; round <= rounds; round++) {
    const { payment_id, order } = await paypal.begin(1_000)
    paypal.double.act(order, 'approve')
    const messages = paypal.double.messages.splice(0)
    await paypal.kill(`GET v2/checkout/orders/${order.id}`, false, async () => {
      for (const message of messages) expect(await paypal.post(message, victim)).toBe(200)
    })
    expect(await runChecks(paypal.world.services)).toBe(0)
    await survive()
    expect(await statusOf(payment_id)).toBe('success')
  }
  expect(await paypal.paid()).toBe(rounds * 1_000)
})

test.each([false, true])(
  'billing check 7: killed while an order is captured (at PayPal: %s): one capture, booked once',
  async (effect) => {
    for (let round = 1; round <= rounds; round++) {
      const { payment_id, order } = await paypal.begin(1_000)
      paypal.double.act(order, 'approve')
      const messages = paypal.double.messages.splice(0)
      await paypal.kill(`POST v2/checkout/orders/${order.id}/capture`, effect, async () => {
        for (const message of messages) expect(await paypal.post(message, victim)).toBe(200)
      })
      await survive()
      expect(await statusOf(payment_id)).toBe('success')
      expect([paypal.double.state.captures.length, await paypal.paid()]).toEqual([round, round * 1_000])
    }
  },
)

test.each([false, true])(
  'billing check 7: killed while PayPal is asked for a refund (at PayPal: %s): one refund, booked once',
  async (effect) => {
    const { world, ann, double } = paypal
    await makeOperator(world, ann)
    const { payment_id } = await paypal.topUp(100 * rounds)
    const other = await world.replica()
    for (let round = 1; round <= rounds; round++) {
      const input = { payment_id, amount: 100, reason: 'Asked by e-mail' }
      await paypal.kill('POST v2/payments/captures', effect, () =>
        world.api(payments.refund, input, { as: paypal.ann, through: victim }),
      )
      expect(await runRefunds(world.services)).toBe(0)
      await paypal.pass(leaseMs)
      await Promise.all([runRefunds(world.services), runRefunds(other.services)])
      // The job of a replica may have sent it instead.
      await eventually(() => double.state.refunds.length === round)
      await paypal.deliver()
      await paypal.checked()
      expect([double.state.refunds.length, await paypal.paid()]).toEqual([round, 100 * (rounds - round)])
    }
    expect((await paypal.get(payment_id)).refunded).toBe(100 * rounds)
  },
)

// Billing check 7 with YooKassa: a replica is killed in each call of a payment, and another one continues on the same database.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { methods } from '#contract/areas/billing/methods.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import { eventually } from '#server/testing/eventually.ts'
import { YookassaWorld } from '#server/testing/pay/yookassa-world.ts'
import { roundsOf } from '#server/testing/rounds.ts'
import { makeOperator } from '#server/testing/test-app.ts'
import { runChecks, runRefunds } from '#server/testing/pay/pay-jobs.ts'

const rounds = roundsOf({ usual: 1, nightly: 20 })
/** Longer than every lease. */
const leaseMs = 61_000

let yookassa: YookassaWorld
let victim: YookassaWorld['world']['app']
beforeEach(async () => {
  yookassa = await YookassaWorld.start()
  victim = await yookassa.world.replica()
})
afterEach(() => yookassa.end())

const statusOf = async (id: number) => (await yookassa.get(id)).status
const survive = async () => {
  await yookassa.pass(leaseMs)
  await yookassa.checked()
}

test.each([false, true])(
  'billing check 7: killed while the payment begins (at YooKassa: %s): one payment there, paid once',
  async (effect) => {
    for (let round = 1; round <= rounds; round++) {
      const { payment_id } = (await yookassa.create(1_000)).body
      await yookassa.kill('POST payments', effect, () =>
        yookassa.world.api(paySystems.create, { payment_id }, { as: yookassa.ann, through: victim }),
      )
      const page = await yookassa.open(payment_id)
      expect(yookassa.double.payments.size).toBe(round)
      expect(await yookassa.pay(page)).toBe(200)
      await yookassa.checked()
      expect(await statusOf(payment_id)).toBe('success')
    }
    expect(await yookassa.paid()).toBe(rounds * 1_000)
  },
)

test('billing check 7: killed after a notification of YooKassa was answered: another replica checks', async () => {
  for (let round = 1; round <= rounds; round++) {
    const { payment_id } = (await yookassa.create(1_000)).body
    const page = await yookassa.open(payment_id)
    await yookassa.kill(`GET payments/${page}`, false, async () => expect(await yookassa.pay(page, victim)).toBe(200))
    expect(await runChecks(yookassa.world.services)).toBe(0)
    await survive()
    expect(await statusOf(payment_id)).toBe('success')
  }
  expect(await yookassa.paid()).toBe(rounds * 1_000)
})

test.each([false, true])(
  'billing check 7: killed while YooKassa charges a saved method (at YooKassa: %s): one charge',
  async (effect) => {
    const { world, ann, double } = yookassa
    await yookassa.topUp(1_000, { save: 1 })
    const saved = await world.api(methods.list, { project_id: ann.projectId }, { as: ann })
    const method_id = saved.body.results[0]?.method_id
    for (let round = 1; round <= rounds; round++) {
      const input = { project_id: ann.projectId, type: 'topup', amount: 1_000, method_id } as const
      await yookassa.kill('POST payments', effect, () =>
        world.api(payments.create, input, { as: yookassa.ann, through: victim }),
      )
      await survive()
      expect([double.payments.size, await yookassa.paid()]).toEqual([round + 1, (round + 1) * 1_000])
    }
  },
)

test.each([false, true])(
  'billing check 7: killed while YooKassa is asked for a refund (at YooKassa: %s): one refund, booked once',
  async (effect) => {
    const { world, ann, double } = yookassa
    await makeOperator(world, ann)
    const { payment_id } = await yookassa.topUp(100 * rounds)
    const other = await world.replica()
    for (let round = 1; round <= rounds; round++) {
      const input = { payment_id, amount: 100, reason: 'Asked by e-mail' }
      await yookassa.kill('POST refunds', effect, () =>
        world.api(operatorPayments.refund, input, { as: yookassa.ann, through: victim }),
      )
      expect(await runRefunds(world.services)).toBe(0)
      await yookassa.pass(leaseMs)
      await Promise.all([runRefunds(world.services), runRefunds(other.services)])
      // The job of a replica may have sent it instead.
      await eventually(() => double.refunds.size === round)
      await yookassa.checked()
      expect([double.refunds.size, await yookassa.paid()]).toEqual([round, 100 * (rounds - round)])
    }
    expect((await yookassa.get(payment_id)).refunded).toBe(100 * rounds)
  },
)

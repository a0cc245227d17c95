// Billing check 7: a replica is killed at each point of a payment, and another one continues on the same database. A killed
// replica waits for an answer of Stripe that does not come. With SIGKILL: server/app/start/payments-kill.test.ts.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { methods } from '#contract/areas/billing/methods.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { eventually } from '#server/testing/eventually.ts'
import { brokenPayments, StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { checkPayment } from './checks.ts'
import { refundJob } from '#server/domain/billing/refunds/refunds.ts'
import { settlement } from './settlement.ts'
import { makeOperator } from '#server/testing/test-app.ts'
import { insertMissing, runChecks, runRefunds } from '#server/testing/pay/pay-jobs.ts'

const rounds = Number(process.env['KILL_ROUNDS'] ?? (process.env['NIGHTLY'] ? 20 : 5))
/** Longer than every lease. */
const leaseMs = 61_000

let stripe: StripeWorld
let victim: StripeWorld['world']['app']
beforeEach(async () => {
  stripe = await StripeWorld.start()
  victim = await stripe.world.replica()
})
afterEach(() => stripe.end(brokenPayments))

const paid = async () => (await getBalance(stripe.world.app.db, stripe.ann.projectId)).payment
const statusOf = async (id: number) => (await stripe.get(id)).status
const survive = async () => {
  await stripe.pass(leaseMs)
  await stripe.checked()
}
const openOn = (through: typeof victim, payment_id: number) =>
  stripe.world.api(paySystems.create, { payment_id }, { as: stripe.ann, through })

test.each([false, true])(
  'billing check 7: killed while the payment begins (at Stripe: %s): one session, paid once',
  async (effect) => {
    for (let round = 1; round <= rounds; round++) {
      const { payment_id } = (await stripe.create(1_000)).body
      await stripe.kill('POST checkout/sessions', effect, () => openOn(victim, payment_id))
      const session = await stripe.open(payment_id)
      expect(stripe.double.state.sessions.size).toBe(round)
      stripe.double.act(session, 'pay')
      await stripe.deliver()
      expect(await statusOf(payment_id)).toBe('success')
    }
    expect(await paid()).toBe(rounds * 1_000)
  },
)

test('billing check 7: killed after a message was answered: the payment is checked by another replica', async () => {
  for (let round = 1; round <= rounds; round++) {
    const { payment_id, session } = await stripe.begin(1_000)
    stripe.double.act(session, 'pay')
    const messages = stripe.double.messages.splice(0)
    await stripe.kill(`GET checkout/sessions/${session.id}`, false, async () => {
      for (const message of messages) expect(await stripe.post(message, victim)).toBe(200)
    })
    expect(await runChecks(stripe.world.services)).toBe(0)
    await survive()
    expect(await statusOf(payment_id)).toBe('success')
  }
  expect(await paid()).toBe(rounds * 1_000)
})

test('billing check 7: killed inside the transaction that settles: nothing is booked, and the next check books once', async () => {
  for (let round = 1; round <= rounds; round++) {
    const { payment_id, session } = await stripe.begin(1_000)
    stripe.double.act(session, 'pay')
    const dying: typeof settlement = (booked, seen) => [...settlement(booked, seen), deadly]
    await checkPayment(stripe.world.services, payment_id, dying)
    expect([await statusOf(payment_id), await paid()]).toEqual(['pending', (round - 1) * 1_000])
    await checkPayment(stripe.world.services, payment_id)
    expect([await statusOf(payment_id), await paid()]).toEqual(['success', round * 1_000])
  }
})

/** A step that fails after the credit before it was written. */
const deadly = {
  kind: 'refund',
  amountMinor: 1,
  get refund(): never {
    throw new Error('killed')
  },
} as const

test.each([false, true])(
  'billing check 7: killed while a saved card is charged (at Stripe: %s): one charge',
  async (effect) => {
    const { state } = stripe.double
    await stripe.topUp(1_000, { save: 1 })
    const saved = await stripe.world.api(methods.list, { project_id: stripe.ann.projectId }, { as: stripe.ann })
    const method_id = saved.body.results[0]?.method_id
    for (let round = 1; round <= rounds; round++) {
      const input = { project_id: stripe.ann.projectId, type: 'topup', amount: 1_000, method_id } as const
      await stripe.kill('POST payment_intents', effect, () =>
        stripe.world.api(payments.create, input, { as: stripe.ann, through: victim }),
      )
      await survive()
      expect([state.intents.size, await paid()]).toEqual([round + 1, (round + 1) * 1_000])
    }
  },
)

test.each([false, true])(
  'billing check 7: killed while a refund is sent (at Stripe: %s): one refund, booked once',
  async (effect) => {
    const { world, ann, double } = stripe
    await makeOperator(world, ann)
    const { payment_id } = await stripe.topUp(100 * rounds)
    const other = await world.replica()
    for (let round = 1; round <= rounds; round++) {
      const input = { payment_id, amount: 100, reason: 'Asked by e-mail' }
      await stripe.kill('POST refunds', effect, () =>
        world.api(operatorPayments.refund, input, { as: stripe.ann, through: victim }),
      )
      expect(await runRefunds(world.services)).toBe(0)
      await stripe.pass(leaseMs)
      await Promise.all([runRefunds(world.services), runRefunds(other.services)])
      // The job of a replica may have sent it instead.
      await eventually(() => double.state.refunds.size === round)
      await stripe.checked()
      expect([double.state.refunds.size, await paid()]).toEqual([round, 100 * (rounds - round)])
    }
    const rows = await world.app.db.selectFrom('payment_refunds').selectAll().execute()
    expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: rounds }, () => 'booked'))
    expect((await stripe.get(payment_id)).refunded).toBe(100 * rounds)
  },
)

test('a refund without an answer is accepted, sent again, and found after the key is forgotten', async () => {
  const { world, ann, double } = stripe
  await makeOperator(world, ann)
  const { payment_id } = await stripe.topUp(2_500)
  double.faults.push('error', 'error')
  const input = { payment_id, amount: 700, reason: 'Asked by e-mail' }
  expect((await world.api(operatorPayments.refund, input, { as: stripe.ann })).status).toBe(200)
  expect([double.state.refunds.size, await paid()]).toEqual([0, 1_800])
  await stripe.pass(leaseMs)
  expect(await runRefunds(world.services)).toBe(1)
  await world.app.db.updateTable('payment_refunds').set({ state: 'requested', provider_id: null }).execute()
  await stripe.pass(48 * 3_600_000)
  double.forget()
  await insertMissing(world.services, refundJob)
  expect(await runRefunds(world.services)).toBe(1)
  expect([double.state.refunds.size, await paid()]).toEqual([1, 1_800])
})

test('a refund that Stripe refuses at the second try comes back once', async () => {
  const { world, ann, double } = stripe
  await makeOperator(world, ann)
  const { payment_id } = await stripe.topUp(2_500)
  const input = { payment_id, amount: 700, reason: 'Asked by e-mail' }
  await stripe.kill('POST refunds', false, () =>
    world.api(operatorPayments.refund, input, { as: stripe.ann, through: victim }),
  )
  await stripe.pass(leaseMs)
  double.refuse = 'POST refunds'
  for (let at = 0; at < 2; at++) await runRefunds(world.services)
  expect([double.state.refunds.size, await paid()]).toEqual([0, 2_500])
})

test('billing check 7: killed after the booking, before the event was published: the page of the payment is right', async () => {
  const { payment_id, session } = await stripe.begin(1_000)
  stripe.double.act(session, 'pay')
  const { services } = stripe.world
  const silent = Object.assign(Object.create(services), {
    realtime: {
      publish: () => {
        throw new Error('killed')
      },
    },
  }) as typeof services
  await checkPayment(silent, payment_id)
  expect(await stripe.get(payment_id)).toMatchObject({ status: 'success' })
  await checkPayment(services, payment_id)
  expect(await paid()).toBe(1_000)
})

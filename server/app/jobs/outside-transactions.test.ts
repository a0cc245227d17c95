// No provider is called inside a transaction: before each call is answered, the doubles lock the wallet of the project. A
// transaction that waits for the answer prevents this until the client gives up.
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { methods } from '#contract/areas/billing/methods.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { renewOnce } from '#server/testing/pay/renewal-jobs.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { lockWallet } from '#server/domain/money/ledger.ts'
import { setBalance } from '#server/testing/billing.ts'
import { PaypalWorld } from '#server/testing/pay/paypal-world.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { makeOperator, type Person, type World } from '#server/testing/test-app.ts'
import { reconcile } from '#server/testing/pay/pay-jobs.ts'

const reason = 'Asked by e-mail'

/** Locks the wallet from another replica, so that no queue of this process is shared. */
async function locker(world: World, ann: Person) {
  const { db } = (await world.replica()).services
  await makeOperator(world, ann)
  /** Calls that the service gave up before the wallet could be locked. */
  const blocked: string[] = []
  return {
    blocked,
    async onCall(call: string, response: ServerResponse): Promise<void> {
      await projectTransaction(db, ann.projectId, (trx) => lockWallet(trx, ann.projectId)).catch(() =>
        blocked.push(call),
      )
      // A client that gave up has closed its socket: the next turns of the event loop see it.
      for (let turn = 0; turn < 10; turn++) await setImmediate()
      if (response.destroyed) blocked.push(call)
    },
  }
}

test('calls Stripe outside transactions: page, check, charge, refund, renewal, cancellation, reconciliation', async () => {
  const stripe = await StripeWorld.start()
  try {
    const { world, ann, double } = stripe
    const { blocked, onCall } = await locker(world, ann)
    double.onCall = onCall
    const charges = () => double.calls.filter((call) => call === 'POST payment_intents').length
    const { payment_id } = await stripe.topUp(2_500, { save: 1 })
    const { results } = (await world.api(methods.list, { project_id: ann.projectId }, { as: ann })).body
    await stripe.create(1_000, { method_id: results[0]?.method_id })
    expect(charges()).toBe(1)
    const back = { payment_id, amount: 700, reason }
    expect((await world.api(operatorPayments.refund, back, { as: ann })).status).toBe(200)
    const begun = await stripe.begin(600)
    const ours = { project_id: ann.projectId, payment_id: begun.payment_id }
    expect((await world.api(payments.cancel, ours, { as: ann })).status).toBe(200)
    const plan = { project_id: ann.projectId, plan_restream_id: 2, period: 'month' } as const
    expect((await world.api(restream.buy, plan, { as: ann })).status).toBe(200)
    const switched = { project_id: ann.projectId, enabled: true }
    expect((await world.api(restream.prolongation, switched, { as: ann })).status).toBe(200)
    // The card pays only what the balance lacks.
    await setBalance(world, ann.projectId, {})
    await stripe.pass(29 * 86_400_000)
    await renewOnce(world.services)
    expect(charges()).toBe(2)
    await reconcile(world.services)
    expect(new Set(double.calls)).toEqual(new Set([...double.calls, 'POST checkout/sessions', 'POST refunds']))
    expect(blocked).toEqual([])
  } finally {
    await stripe.close()
  }
})

test('calls PayPal outside transactions: order, check, capture, refund, reconciliation', async () => {
  const paypal = await PaypalWorld.start()
  const { world, ann, double } = paypal
  const { blocked, onCall } = await locker(world, ann)
  double.onCall = onCall
  const { payment_id } = await paypal.topUp(2_500)
  expect(await paypal.paid()).toBe(2_500)
  await world.api(operatorPayments.refund, { payment_id, amount: 700, reason }, { as: paypal.ann })
  await paypal.deliver()
  expect(await paypal.paid()).toBe(1_800)
  await paypal.pass(3_601_000)
  await reconcile(world.services)
  expect(double.calls.filter((call) => call.startsWith('POST')).length).toBeGreaterThan(3)
  expect(blocked).toEqual([])
  await paypal.end()
})

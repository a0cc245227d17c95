// Papers and history of refunds at the provider, of disputes, and of plans that end with a refund.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { payments } from '#contract/areas/operator/payments.ts'
import { history } from '#contract/areas/projects/history.ts'
import { paperOf } from '#server/domain/billing/papers/papers.ts'
import { listPapers } from '#server/domain/billing/papers/store.ts'
import { setBalance } from '#server/testing/billing.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { makeOperator } from '#server/testing/test-app.ts'

let stripe: StripeWorld
beforeEach(async () => {
  stripe = await StripeWorld.start()
  await makeOperator(stripe.world, stripe.ann)
})
afterEach(() => stripe.close())

/** Returns kind and amount of the papers of a payment, in order of issue. */
async function papersOf(payment_id: number) {
  const papers = (await listPapers(stripe.world.app.db, stripe.ann.projectId, payment_id)).map(paperOf)
  return papers.map(({ kind, totalMinor }) => [kind, totalMinor])
}

/** Returns the amounts of an action in the history of the project. */
async function amountsOf(action: 'payment_refunded' | 'payment_disputed') {
  const input = { project_id: stripe.ann.projectId, limit: 50, offset: 0 }
  const { results } = (await stripe.world.api(history.list, input, { as: stripe.ann })).body
  return results.filter((one) => one.action === action).map(({ details }) => details?.['amount'])
}

test('a refund at the provider and a dispute have a credit note and a history entry, once', async () => {
  const { payment_id, session } = await stripe.topUp(2_500)
  const intent = session.payment_intent ?? ''
  const { double } = stripe
  double.tell('refund.updated', double.state.refund(intent, 400, {}))
  const messages = double.messages.splice(0)
  for (let at = 0; at < 2; at++) await stripe.deliver(messages)
  double.tell('charge.dispute.created', double.state.dispute(intent, 1_000))
  const disputed = double.messages.splice(0)
  for (let at = 0; at < 2; at++) await stripe.deliver(disputed)
  expect(await papersOf(payment_id)).toEqual([
    ['receipt', 2_500],
    ['credit_note', 400],
    ['credit_note', 1_000],
  ])
  expect(await amountsOf('payment_refunded')).toEqual([400])
  expect(await amountsOf('payment_disputed')).toEqual([1_000])
})

test('the receipt of a plan has its period, and its credit note has the same', async () => {
  const { ann, world } = stripe
  await setBalance(world, ann.projectId, {})
  const plan = { type: 'restream', plan_period: 'month', plan_restream_id: 2 } as const
  const { payment_id } = await stripe.topUp(490, plan)
  const input = { payment_id, amount: 200, reason: 'Asked by e-mail', end_plan: true }
  expect((await world.api(payments.refund, input, { as: ann })).status).toBe(200)
  const [receipt, note] = (await listPapers(world.app.db, ann.projectId, payment_id)).map(paperOf)
  expect(receipt?.service?.start).toBe(world.clock.now().toISOString())
  expect(note).toMatchObject({ kind: 'credit_note', service: receipt?.service, corrects: receipt?.number })
  expect(await amountsOf('payment_refunded')).toEqual([200])
})

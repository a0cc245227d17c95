// Credit notes and history entries of refunds that operators request.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { payments } from '#contract/areas/operator/payments.ts'
import { history } from '#contract/areas/projects/history.ts'
import { brokenPayments, StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { makeOperator } from '#server/testing/test-app.ts'
import { withoutJobs } from '#server/testing/without-jobs.ts'
import { paperOf } from '#server/domain/billing/papers/papers.ts'
import { listPapers } from '#server/domain/billing/papers/store.ts'
import { runRefunds } from '#server/testing/pay/pay-jobs.ts'

/** Longer than a lease of a refund, ms. */
const leaseMs = 61_000

let stripe: StripeWorld
beforeEach(async () => {
  withoutJobs()
  stripe = await StripeWorld.start()
  await makeOperator(stripe.world, stripe.ann)
})
afterEach(() => stripe.end(brokenPayments))

const refund = (payment_id: number, amount: number) =>
  stripe.world.api(payments.refund, { payment_id, amount, reason: 'Asked by e-mail' }, { as: stripe.ann })

/** Returns kind and amount of the papers of a payment, in order of issue. */
async function papersOf(payment_id: number) {
  const papers = (await listPapers(stripe.world.app.db, stripe.ann.projectId, payment_id)).map(paperOf)
  return papers.map(({ kind, totalMinor }) => [kind, totalMinor])
}

/** Returns the amounts of the refunds in the history of the project. */
async function refundsInHistory() {
  const { ann, world } = stripe
  const { body } = await world.api(history.list, { project_id: ann.projectId, limit: 50, offset: 0 }, { as: ann })
  const found = body.results.filter(({ action }) => action === 'payment_refunded')
  return found.map(({ details }) => details?.['amount'])
}

test('a refund of the operator has a credit note that names the receipt, and a history entry, once', async () => {
  const { payment_id } = await stripe.topUp(2_500)
  expect((await refund(payment_id, 700)).status).toBe(200)
  await stripe.deliver()
  await stripe.pass(3_600_000)
  await stripe.checked()
  expect(await papersOf(payment_id)).toEqual([
    ['receipt', 2_500],
    ['credit_note', 700],
  ])
  const [receipt, note] = (await listPapers(stripe.world.app.db, stripe.ann.projectId, payment_id)).map(paperOf)
  expect(note?.corrects).toBe(receipt?.number)
  expect(await refundsInHistory()).toEqual([700])
})

test('each of two refunds of the operator has its credit note', async () => {
  const { payment_id } = await stripe.topUp(2_500)
  await refund(payment_id, 700)
  await refund(payment_id, 700)
  expect(await papersOf(payment_id)).toEqual([
    ['receipt', 2_500],
    ['credit_note', 700],
    ['credit_note', 700],
  ])
  expect(await refundsInHistory()).toEqual([700, 700])
})

test('a refund that Stripe refuses has neither', async () => {
  const { payment_id } = await stripe.topUp(2_500)
  stripe.double.faults.push('refused')
  expect((await refund(payment_id, 700)).error?.name).toBe('ProviderRefused')
  expect([await papersOf(payment_id), await refundsInHistory()]).toEqual([[['receipt', 2_500]], []])
})

test.each([
  { arrived: 'arrived', effect: true },
  { arrived: 'did not arrive', effect: false },
])('a refund without an answer that $arrived has them when Stripe has it', async ({ effect }) => {
  const { payment_id } = await stripe.topUp(2_500)
  const victim = await stripe.world.replica()
  const input = { payment_id, amount: 700, reason: 'Asked by e-mail' }
  await stripe.kill('POST refunds', effect, () =>
    stripe.world.api(payments.refund, input, { as: stripe.ann, through: victim }),
  )
  expect([await papersOf(payment_id), await refundsInHistory()]).toEqual([[['receipt', 2_500]], []])
  await stripe.pass(leaseMs)
  await runRefunds(stripe.world.services)
  await stripe.checked()
  expect(await papersOf(payment_id)).toEqual([
    ['receipt', 2_500],
    ['credit_note', 700],
  ])
  expect(await refundsInHistory()).toEqual([700])
})

test('a refund that fails after Stripe had it has a credit note, then a receipt', async () => {
  const { payment_id } = await stripe.topUp(2_500)
  const victim = await stripe.world.replica()
  const input = { payment_id, amount: 700, reason: 'Asked by e-mail' }
  await stripe.kill('POST refunds', true, () =>
    stripe.world.api(payments.refund, input, { as: stripe.ann, through: victim }),
  )
  for (const one of stripe.double.state.refunds.values()) one.status = 'failed'
  await stripe.pass(leaseMs)
  await runRefunds(stripe.world.services)
  expect(await papersOf(payment_id)).toEqual([
    ['receipt', 2_500],
    ['credit_note', 700],
    ['receipt', 700],
  ])
  stripe.double.state.refunds.clear()
})

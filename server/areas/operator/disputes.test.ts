// Disputes that operators enter by hand, and refunds that end the plan.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { payments } from '#contract/areas/operator/payments.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { getDebt } from '#server/domain/money/store.ts'
import { setBalance } from '#server/testing/billing.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { makeOperator } from '#server/testing/test-app.ts'

let stripe: StripeWorld
beforeEach(async () => {
  stripe = await StripeWorld.start({ INVOICE_DETAILS: 'IBAN' })
  const { world, ann } = stripe
  await setBalance(world, ann.projectId, {})
  await makeOperator(world, ann)
})
afterEach(() => stripe.close())

const reason = 'A test'
const paid = async () => (await getBalance(stripe.world.app.db, stripe.ann.projectId)).payment
const debt = () => getDebt(stripe.world.app.db, stripe.ann.projectId)

async function paidInvoice(amount: number): Promise<number> {
  const { world, ann } = stripe
  const { payment_id } = (await stripe.create(amount, { pay_system_id: 1 })).body
  await stripe.open(payment_id).catch(() => undefined)
  await world.api(payments.markPaid, { payment_id, amount, reason }, { as: ann })
  return payment_id
}
const enter = (payment_id: number, amount: number) =>
  stripe.world.api(payments.dispute, { payment_id, amount, reason }, { as: stripe.ann })
const end = (payment_id: number, won: boolean) =>
  stripe.world.api(payments.endDispute, { payment_id, won, reason }, { as: stripe.ann })
const listed = async () => (await stripe.world.api(payments.list, {}, { as: stripe.ann })).body.results[0]

test('billing check 10: takes a disputed amount, leaves a debt for what was spent, and returns a won dispute', async () => {
  const { world, ann } = stripe
  const payment_id = await paidInvoice(2_000)
  const buy = { project_id: ann.projectId, plan_restream_id: 2, period: 'month' } as const
  expect((await world.api(restream.buy, buy, { as: ann })).status).toBe(200)
  const left = await paid()
  expect(left).toBeLessThan(2_000)
  expect((await enter(payment_id, 2_001)).error?.name).toBe('RefundTooHigh')
  expect((await enter(payment_id, 2_000)).status).toBe(200)
  expect((await enter(payment_id, 1)).error?.name).toBe('DisputeOpen')
  expect([await paid(), await debt()]).toEqual([0, 2_000 - left])
  expect(await listed()).toMatchObject({ disputed: 2_000, open_dispute: 2_000, may_dispute: false, left: 0 })
  expect((await end(payment_id, true)).status).toBe(200)
  expect([await paid(), await debt()]).toEqual([left, 0])
  expect(await listed()).toMatchObject({ disputed: 0, open_dispute: 0, left: 2_000 })
  expect((await end(payment_id, true)).error?.name).toBe('NoDispute')
})

test('keeps the amount of a lost dispute', async () => {
  const payment_id = await paidInvoice(2_000)
  await enter(payment_id, 500)
  expect((await end(payment_id, false)).status).toBe(200)
  expect(await paid()).toBe(1_500)
  expect(await listed()).toMatchObject({ disputed: 500, open_dispute: 0, left: 1_500, may_dispute: true })
  const logged = await stripe.world.app.db.selectFrom('operator_log').select('action').orderBy('id').execute()
  expect(logged.map(({ action }) => action)).toEqual(['invoice_paid', 'dispute_opened', 'dispute_lost'])
})

test('refuses a dispute by hand where the provider reports disputes', async () => {
  const { payment_id } = await stripe.topUp(2_500)
  expect((await enter(payment_id, 500)).error?.name).toBe('DisputeReported')
})

test('ends the plan before a refund, so that its unused part can be refunded', async () => {
  const { world, ann } = stripe
  const amount = 490
  const input = { type: 'restream', pay_system_id: 1, plan_period: 'month', plan_restream_id: 2 } as const
  const created = await stripe.create(amount, input)
  const payment_id = created.body.payment_id
  expect(created.error).toBeUndefined()
  await stripe.open(payment_id).catch(() => undefined)
  await world.api(payments.markPaid, { payment_id, amount, reason }, { as: ann })
  expect(await stripe.get(payment_id)).toMatchObject({ purchase: { outcome: 'bought' } })
  const refund = (end_plan: boolean) =>
    world.api(payments.refund, { payment_id, amount, end_plan, reason }, { as: ann })
  expect((await refund(false)).error?.name).toBe('RefundTooHigh')
  expect((await refund(true)).status).toBe(200)
  const { current } = (await world.api(restream.slots, { project_id: ann.projectId }, { as: ann })).body
  expect(current?.id).toBe(1)
  expect(await paid()).toBe(0)
})

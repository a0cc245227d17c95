// Payments by Stripe: the official SDK against the stateful double, on both databases.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { methods } from '#contract/areas/billing/methods.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { getBalance, lockWallet } from '#server/domain/money/ledger.ts'
import { transaction } from '#server/db/transaction.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import { topUp } from '#server/testing/tariffs.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { settle } from '#server/domain/billing/payments/settle.ts'
import { reconcile, runChecks } from '#server/testing/pay/pay-jobs.ts'

let stripe: StripeWorld
beforeEach(async () => {
  stripe = await StripeWorld.start()
})
afterEach(() => stripe.end())

const held = () => getBalance(stripe.world.app.db, stripe.ann.projectId)
const paid = async () => (await held()).payment
const debt = () => transaction(stripe.world.app.db, async (trx) => (await lockWallet(trx, stripe.ann.projectId)).debt)

test('credits a top-up, keeps its fee and saves the card without its token in the clear', async () => {
  const { payment_id, session } = await stripe.begin(2_500, { save: 1 })
  expect(session).toMatchObject({ amount_total: 2_500, currency: 'usd' })
  expect(session.success_url).toBe(`https://live.example.com/p/${stripe.ann.projectId}/billing/payments/${payment_id}`)
  expect((await stripe.open(payment_id)).id).toBe(session.id)
  stripe.double.act(session, 'pay')
  await stripe.deliver()
  expect(await stripe.get(payment_id)).toMatchObject({ status: 'success', pay_name: 'stripe' })
  expect(await paid()).toBe(2_500)
  const { db } = stripe.world.app
  const row = await db.selectFrom('payments').selectAll().where('id', '=', payment_id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ fee_minor: 103, pay_ref: session.payment_intent })
  const saved = await stripe.world.api(methods.list, { project_id: stripe.ann.projectId }, { as: stripe.ann })
  expect(saved.body.results).toMatchObject([{ title: 'Visa •••• 4242', expires: '2031-04', is_default: true }])
  const stored = JSON.stringify(await db.selectFrom('payment_methods').selectAll().execute())
  expect(stored).not.toContain('pm_test')
  expect(stripe.world.logged.join('')).not.toMatch(/sk_test|whsec|pm_test|\/checkout\//)
})

test('stays pending during the confirmation of the bank and after a decline, and credits once', async () => {
  const { payment_id, session } = await stripe.begin(2_500)
  for (const action of ['decline', 'challenge']) {
    stripe.double.act(session, action)
    await stripe.deliver()
    expect(await stripe.get(payment_id)).toMatchObject({ status: 'pending' })
  }
  stripe.double.act(session, 'confirm')
  await stripe.deliver()
  expect(await stripe.get(payment_id)).toMatchObject({ status: 'success' })
})

test('cancels at Stripe, and credits a payment that arrives late', async () => {
  const { payment_id, session } = await stripe.begin(2_500)
  const input = { project_id: stripe.ann.projectId, payment_id }
  await stripe.world.api(payments.cancel, input, { as: stripe.ann })
  expect(await stripe.get(payment_id)).toMatchObject({ status: 'cancel' })
  // The customer was faster than the expiry.
  session.status = 'open'
  stripe.double.act(session, 'pay')
  await stripe.deliver()
  expect(await stripe.get(payment_id)).toMatchObject({ status: 'success' })
  expect(await paid()).toBe(2_500)
})

test('finds a payment whose creation got no answer, and creates it once', async () => {
  const { payment_id } = (await stripe.create(2_500)).body
  stripe.double.faults.push('error', 'lost', 'lost')
  const lost = await stripe.world.api(paySystems.create, { payment_id }, { as: stripe.ann })
  expect(lost.error?.name).toBe('ProviderUnavailable')
  const session = await stripe.open(payment_id)
  expect(stripe.double.state.sessions.size).toBe(1)
  const { db } = stripe.world.app
  await db.updateTable('payments').set({ pay_id: null, redirect_sealed: null }).where('id', '=', payment_id).execute()
  stripe.double.act(session, 'pay')
  stripe.double.messages.length = 0
  await stripe.pass(11_000)
  await runChecks(stripe.world.services)
  expect(await stripe.get(payment_id)).toMatchObject({ status: 'success' })
})

test('billing check 5: the same messages 50 times over two replicas, in reverse order, book one payment', async () => {
  const { session } = await stripe.begin(2_500)
  stripe.double.act(session, 'pay')
  const other = await stripe.world.replica()
  const messages = stripe.double.messages.splice(0).toReversed()
  const many = Array.from({ length: 25 }, () => messages).flat()
  const statuses = await Promise.all(many.map((one, at) => stripe.post(one, at % 2 ? other : stripe.world.app)))
  expect(new Set(statuses)).toEqual(new Set([200]))
  await Promise.all([runChecks(stripe.world.services), runChecks(other.services)])
  await stripe.checked()
  expect(await paid()).toBe(2_500)
  const { db } = stripe.world.app
  const booked = await db.selectFrom('ledger_transactions').selectAll().where('type', '=', 'payment').execute()
  expect(booked).toHaveLength(1)
  const events = await db.selectFrom('payment_events').select('times').execute()
  expect(events.map(({ times }) => times)).toEqual([25, 25])
})

test('billing check 6, I14: forged messages change nothing, and a true one after them does', async () => {
  const { payment_id, session } = await stripe.begin(2_500)
  const { double } = stripe
  const now = Math.floor(Date.now() / 1000)
  const forged = { ...session, status: 'complete', payment_status: 'paid', amount_total: 9_999_999 }
  const type = 'checkout.session.completed'
  const good = double.sign(type, forged)
  const bad = [
    { payload: good.payload, signature: '' },
    { payload: good.payload, signature: 't=1,v1=00' },
    double.sign(type, forged, now, 'whsec_of_a_stranger'),
    double.sign(type, forged, now - 301),
    { payload: good.payload.replace('9999999', '9999998'), signature: good.signature },
    { payload: '{', signature: good.signature },
  ]
  for (const message of bad) expect(await stripe.post(message)).toBe(400)
  expect(await stripe.post({ payload: 'x'.repeat(10 * 1024 * 1024), signature: good.signature })).toBe(413)
  const unknown = await stripe.world.app.inject({ method: 'POST', url: '/pay/webhook/unknown', payload: {} })
  expect(unknown.statusCode).toBe(404)
  const { db } = stripe.world.app
  expect(await db.selectFrom('payment_events').selectAll().execute()).toEqual([])
  // Rightly signed, about an amount that was not paid, about a stranger's payment, and an hour ahead.
  const signed = [good, double.sign(type, { id: 'cs_foreign' }), double.sign(type, forged, now + 3600)]
  for (const message of signed) expect(await stripe.post(message)).toBe(200)
  await stripe.checked()
  expect(await stripe.get(payment_id)).toMatchObject({ status: 'pending' })
  expect(await paid()).toBe(0)
  double.act(session, 'pay')
  await stripe.deliver()
  expect(await paid()).toBe(2_500)
})

test('a report of another payment books nothing', async () => {
  const { payment_id } = await stripe.begin(2_500)
  const seen = { payId: 'cs_foreign', payRef: null, uuid: 'foreign', status: 'success', reason: null } as const
  const rest = { amountMinor: 2_500, currency: 'usd', feeMinor: 0, method: null, actionUrl: null } as const
  const moves = await settle(stripe.world.services, payment_id, { ...seen, ...rest, refunds: [], disputes: [] })
  expect(moves).toEqual([])
})

test('reconciliation settles payments without a message, with refunds made at Stripe', async () => {
  const { payment_id, session } = await stripe.begin(2_500)
  const intent = stripe.double.state.pay(session)
  stripe.double.state.refund(intent.id, 700, {})
  await reconcile(stripe.world.services)
  expect(await stripe.get(payment_id)).toMatchObject({ status: 'success', refunded: 700 })
  expect(await paid()).toBe(1_800)
  stripe.double.state.intents.clear()
  stripe.double.state.refunds.clear()
  await stripe.pass(3_700_000)
  await reconcile(stripe.world.services)
  const { db } = stripe.world.app
  const state = await db.selectFrom('pay_providers').selectAll().executeTakeFirstOrThrow()
  expect(state).toMatchObject({ mismatches: 1 })
})

test('reconciliation after a declined card leaves the payment pending, because the page accepts another card', async () => {
  const { payment_id, session } = await stripe.begin(2_500)
  stripe.double.act(session, 'decline')
  await reconcile(stripe.world.services)
  expect(await stripe.get(payment_id)).toMatchObject({ status: 'pending' })
})

test('billing check 10: a dispute of spent money becomes a debt, which the next top-up pays; a won one comes back', async () => {
  const { session } = await stripe.topUp(2_500)
  const { world, ann, double } = stripe
  const tools = { db: world.app.db, clock: world.clock }
  await topUp(tools, ann.projectId, { ...emptyBalance, payment: -2_000 })
  const dispute = double.state.dispute(session.payment_intent ?? '', 2_500)
  double.tell('charge.dispute.created', dispute)
  await stripe.deliver()
  expect([await paid(), await debt()]).toEqual([0, 2_000])
  await stripe.topUp(1_500)
  expect([await paid(), await debt()]).toEqual([0, 500])
  double.state.close(dispute, 'won')
  double.tell('charge.dispute.closed', dispute)
  await stripe.deliver()
  expect([await paid(), await debt()]).toEqual([2_000, 0])
})

test('a dispute in another currency books nothing and waits for the operator', async () => {
  const { session, payment_id } = await stripe.topUp(2_500)
  const dispute = stripe.double.state.dispute(session.payment_intent ?? '', 2_300, 'eur')
  stripe.double.tell('charge.dispute.created', dispute)
  await stripe.deliver()
  expect([await paid(), await debt()]).toEqual([2_500, 0])
  expect(await stripe.get(payment_id)).toMatchObject({ status: 'success', review: true, disputed: 0 })
})

test('charges a saved card once, ends at a final decline, and leads to the confirmation of the bank', async () => {
  await stripe.topUp(2_500, { save: 1 })
  const { world, ann, double } = stripe
  const saved = await world.api(methods.list, { project_id: ann.projectId }, { as: ann })
  const method = { method_id: saved.body.results[0]?.method_id, idempotency_key: 'charge-once' }
  const first = (await stripe.create(1_000, method)).body
  expect((await stripe.create(1_000, method)).body).toEqual(first)
  expect(await paid()).toBe(3_500)
  double.decline = 'stolen_card'
  const final = (await stripe.create(1_000, { method_id: method.method_id })).body
  expect(await stripe.get(final.payment_id)).toMatchObject({ status: 'error', reason: 'stolen_card' })
  double.decline = 'authentication_required'
  const asked = (await stripe.create(1_000, { method_id: method.method_id })).body
  expect(await stripe.get(asked.payment_id)).toMatchObject({ status: 'pending', reason: 'authentication_required' })
  expect(await paid()).toBe(3_500)
})

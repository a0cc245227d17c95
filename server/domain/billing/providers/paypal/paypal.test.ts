// Payments by PayPal against the stateful double, on both databases.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { methods } from '#contract/areas/billing/methods.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { PaypalWorld } from '#server/testing/pay/paypal-world.ts'
import { pass, runChecks } from '#server/testing/pay/pay-jobs.ts'

let paypal: PaypalWorld
beforeEach(async () => {
  paypal = await PaypalWorld.start()
})
afterEach(() => paypal.end())

const captures = () => paypal.double.calls.filter((call) => call.endsWith('/capture')).length
const cancel = (payment_id: number) =>
  paypal.world.api(payments.cancel, { project_id: paypal.ann.projectId, payment_id }, { as: paypal.ann })
const hour = 3_600_000

test('captures an approved order once, credits it and keeps its fee', async () => {
  const { payment_id, order } = await paypal.begin(2_500)
  expect(order.purchase_units[0].amount).toEqual({ currency_code: 'USD', value: '25.00' })
  expect(order.return_url).toBe(`https://live.example.com/p/${paypal.ann.projectId}/billing/payments/${payment_id}`)
  expect((await paypal.open(payment_id)).id).toBe(order.id)
  await paypal.pass(11_000)
  await paypal.checked()
  expect([await paypal.get(payment_id), captures()]).toMatchObject([{ status: 'pending' }, 0])
  paypal.double.act(order, 'approve')
  await paypal.deliver()
  expect(await paypal.get(payment_id)).toMatchObject({ status: 'success', pay_name: 'paypal' })
  expect([await paypal.paid(), captures()]).toEqual([2_500, 1])
  const { db } = paypal.world.app
  const row = await db.selectFrom('payments').selectAll().where('id', '=', payment_id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ fee_minor: 115, pay_ref: order.purchase_units[0].payments.captures[0]?.id })
})

test('captures without a message, when the customer returns', async () => {
  const { payment_id, order } = await paypal.begin(2_500)
  expect(paypal.double.act(order, 'approve')).toContain(`/billing/payments/${payment_id}?token=${order.id}`)
  paypal.double.messages.length = 0
  await paypal.get(payment_id)
  await paypal.checked()
  expect(await paypal.get(payment_id)).toMatchObject({ status: 'success' })
})

test('buys the plan that the payment is for', async () => {
  const space = { type: 'storage', plan_period: 'year', plan_storage_id: 1, plan_storage_value: 1000 }
  const quote = (await paypal.create(123, space)).error?.data['quote'] as { readonly amount: number }
  const { payment_id } = await paypal.topUp(quote.amount, space)
  expect(await paypal.get(payment_id)).toMatchObject({ purchase: { outcome: 'bought' } })
})

test('returns a customer that cancels at PayPal, to pay later by the same order', async () => {
  const { payment_id, order } = await paypal.begin(2_500)
  expect(paypal.double.act(order, 'cancel')).toContain(`/billing/payments/${payment_id}?left=1`)
  await paypal.get(payment_id)
  await paypal.checked()
  expect(await paypal.get(payment_id)).toMatchObject({ status: 'pending' })
  expect((await paypal.open(payment_id)).id).toBe(order.id)
})

test('never captures a payment that was cancelled here', async () => {
  const { payment_id, order } = await paypal.begin(2_500)
  paypal.double.act(order, 'approve')
  expect((await cancel(payment_id)).status).toBe(200)
  await paypal.deliver()
  expect(await paypal.get(payment_id)).toMatchObject({ status: 'cancel', reason: null })
  expect([await paypal.paid(), captures()]).toEqual([0, 0])
})

test('ends a payment whose funding source is declined, and one whose order has expired', async () => {
  const declined = await paypal.begin(2_500)
  paypal.double.act(declined.order, 'decline')
  await paypal.deliver()
  expect(await paypal.get(declined.payment_id)).toMatchObject({ status: 'error', reason: 'instrument_declined' })
  const forgotten = await paypal.begin(2_500)
  paypal.double.gone.add(forgotten.order.id)
  await paypal.pass(11_000)
  await paypal.checked()
  expect(await paypal.get(forgotten.payment_id)).toMatchObject({ status: 'pending' })
  await paypal.pass(4 * hour)
  await paypal.checked()
  expect(await paypal.get(forgotten.payment_id)).toMatchObject({ status: 'cancel', reason: 'expired' })
})

test('waits for a pending capture, and follows the decision', async () => {
  paypal.double.captures.push({ status: 'PENDING' }, { status: 'PENDING' })
  const [good, bad] = [await paypal.topUp(2_500), await paypal.topUp(700)]
  expect(await paypal.paid()).toBe(0)
  good.capture.status = 'COMPLETED'
  paypal.double.tell('PAYMENT.CAPTURE.COMPLETED', good.capture)
  bad.capture.status = 'DECLINED'
  paypal.double.tell('PAYMENT.CAPTURE.DENIED', bad.capture)
  await paypal.deliver()
  expect(await paypal.get(good.payment_id)).toMatchObject({ status: 'success' })
  expect(await paypal.get(bad.payment_id)).toMatchObject({ status: 'error', reason: 'pending_review' })
  expect([await paypal.paid(), captures()]).toEqual([2_500, 2])
})

test('credits a pending capture whose payment was cancelled here', async () => {
  paypal.double.captures.push({ status: 'PENDING' })
  const { payment_id, capture } = await paypal.topUp(2_500)
  expect((await cancel(payment_id)).status).toBe(200)
  expect(await paypal.get(payment_id)).toMatchObject({ status: 'cancel', reason: 'given_up' })
  capture.status = 'COMPLETED'
  await paypal.pass(25 * hour)
  await paypal.checked()
  expect(await paypal.get(payment_id)).toMatchObject({ status: 'success' })
})

test('billing check 5: the same messages 50 times over two replicas, in reverse order, capture and book once', async () => {
  const { order } = await paypal.begin(2_500)
  paypal.double.act(order, 'approve')
  const other = await paypal.world.replica()
  const approved = paypal.double.messages.splice(0)
  const spread = (messages: typeof approved) =>
    Promise.all(
      Array.from({ length: 25 }, () => messages.toReversed())
        .flat()
        .map((message, at) => paypal.post(message, at % 2 ? other : paypal.world.app)),
    )
  expect(new Set(await spread(approved))).toEqual(new Set([200]))
  await Promise.all([runChecks(paypal.world.services), runChecks(other.services)])
  await paypal.checked()
  expect(new Set(await spread([...approved, ...paypal.double.messages.splice(0)]))).toEqual(new Set([200]))
  await paypal.checked()
  expect([await paypal.paid(), captures()]).toEqual([2_500, 1])
  const { db } = paypal.world.app
  const booked = await db.selectFrom('ledger_transactions').selectAll().where('type', '=', 'payment').execute()
  expect(booked).toHaveLength(1)
})

test.each(['lost', 'busy', 'error'] as const)('captures once when the answer is %s', async (fault) => {
  const { payment_id, order } = await paypal.begin(2_500)
  paypal.double.act(order, 'approve')
  paypal.double.faults.push(fault)
  await paypal.deliver()
  await paypal.pass(61_000)
  await paypal.checked()
  expect(await paypal.get(payment_id)).toMatchObject({ status: 'success' })
  expect([await paypal.paid(), paypal.double.state.captures.length]).toEqual([2_500, 1])
})

test('billing check 6, I14: forged messages change nothing and load no certificate of another host, and a true one after them does', async () => {
  const { payment_id, order } = await paypal.begin(2_500)
  const { double } = paypal
  const forged = { ...order, status: 'COMPLETED' }
  const good = double.sign('CHECKOUT.ORDER.APPROVED', forged)
  const headers = (name: string, value: string) => ({ ...good, headers: { ...good.headers, [name]: value } })
  const loads = () => double.calls.filter((call) => call.includes('/certs/'))
  const bad = [
    { ...good, headers: {} },
    headers('paypal-transmission-sig', 'AAAA'),
    headers('paypal-transmission-time', '2020-01-01T00:00:00Z'),
    headers('paypal-auth-algo', 'none'),
    headers('paypal-cert-url', 'https://evil.example/v1/notifications/certs/CERT-360caa42-double'),
    headers('paypal-cert-url', 'http://127.0.0.1/v1/notifications/certs/CERT-360caa42-double'),
    headers('paypal-cert-url', 'https://api.sandbox.paypal.com/v2/checkout/orders'),
    headers('paypal-cert-url', 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-double'),
    headers('paypal-cert-url', 'https://api.sandbox.paypal.com@evil.example/v1/notifications/certs/CERT-1'),
    double.sign('CHECKOUT.ORDER.APPROVED', forged, 'ANOTHERWEBHOOK'),
    { ...good, payload: good.payload.replace('COMPLETED', 'completed') },
    { ...good, payload: '' },
  ]
  for (const message of bad) expect(await paypal.post(message)).toBe(400)
  expect(loads()).toEqual(['GET v1/notifications/certs/CERT-360caa42-double'])
  for (let at = 0; at < 30; at++) {
    const url = `https://api.sandbox.paypal.com/v1/notifications/certs/CERT-${at}`
    expect(await paypal.post(headers('paypal-cert-url', url))).toBeGreaterThanOrEqual(400)
  }
  expect(loads().length).toBeLessThanOrEqual(10)
  const { db } = paypal.world.app
  expect(await db.selectFrom('payment_events').selectAll().execute()).toEqual([])
  // Rightly signed, about an order that was not approved, and about others.
  const strange = [{ id: 'a\u0000b' }, { id: 7 }, {}, { purchase_units: 'x' }].map((one) => double.sign('X', one))
  for (const message of [good, ...strange]) expect(await paypal.post(message)).toBeLessThan(500)
  await paypal.checked()
  expect(await paypal.get(payment_id)).toMatchObject({ status: 'pending' })
  double.act(order, 'approve')
  await paypal.deliver()
  expect(await paypal.paid()).toBe(2_500)
})

test('forged addresses of certificates do not use up the loads of true ones', async () => {
  const eve = await paypal.begin(2_500)
  const ann = await paypal.begin(3_000)
  const { double } = paypal
  const loads = () => double.calls.filter((call) => call.includes('/certs/')).length
  const forge = (about: object) => {
    const { payload, headers } = double.sign('CHECKOUT.ORDER.APPROVED', about)
    return (at: number) => {
      const url = `https://api.sandbox.paypal.com/v1/notifications/certs/CERT-${at}`
      return paypal.post({ payload, headers: { ...headers, 'paypal-cert-url': url } })
    }
  }
  const [forgeUnknown, forgeKnown] = [forge({ id: 'UNKNOWN' }), forge(eve.order)]
  for (let at = 0; at < 40; at++) await forgeUnknown(at)
  expect(loads()).toBe(0)
  for (let at = 0; at < 40; at++) expect(await forgeKnown(at)).toBeGreaterThanOrEqual(400)
  expect(loads()).toBe(3)
  double.act(ann.order, 'approve')
  await paypal.deliver()
  expect(await paypal.paid()).toBe(3_000)
  // The certificate that verified a message stays, also beside many others.
  await pass(paypal.world, 60_000)
  const before = loads()
  for (let minute = 0; minute < 15; minute++) {
    for (let at = 0; at < 3; at++) await forgeKnown(100 + minute * 3 + at)
    await pass(paypal.world, 60_000)
  }
  expect(loads()).toBe(before + 45)
  double.act(eve.order, 'approve')
  await paypal.deliver()
  expect([await paypal.paid(), loads()]).toEqual([5_500, before + 45])
})

test('begins once when the first answer was lost, and leaves a second order without money', async () => {
  const { payment_id } = (await paypal.create(2_500)).body
  paypal.double.faults.push('lost')
  const lost = await paypal.world.api(paySystems.create, { payment_id }, { as: paypal.ann })
  expect(lost.error?.name).toBe('ProviderUnavailable')
  const order = await paypal.open(payment_id)
  expect(paypal.double.state.orders.size).toBe(1)
  paypal.double.act(order, 'approve')
  await paypal.deliver()
  expect(await paypal.paid()).toBe(2_500)
})

const unit = { amount: { currency_code: 'USD', value: '25.00' } }
const hostileOrders = [
  '',
  '<html>',
  'null',
  '[]',
  '{}',
  JSON.stringify({ id: '../../x', status: 'APPROVED', purchase_units: [unit] }),
  JSON.stringify({ id: 'A', status: 'APPROVED', purchase_units: [] }),
  JSON.stringify({ id: 'A', status: 'COMPLETED', purchase_units: [unit] }),
  JSON.stringify({ id: 'A', status: 'APPROVED', purchase_units: [{ amount: { currency_code: 'USD', value: '1e9' } }] }),
  JSON.stringify({ id: 'A', status: 'APPROVED', purchase_units: [{ ...unit, custom_id: 'of another payment' }] }),
  'x'.repeat(3 * 1024 * 1024),
]

test('books and captures nothing by an order that cannot be read or is another one, and the true one after it', async () => {
  const { double, world } = paypal
  for (const [at, body] of hostileOrders.entries()) {
    const { payment_id, order } = await paypal.begin(2_500)
    double.act(order, 'approve')
    double.garbage.push(body)
    const [approved] = double.messages.splice(0)
    if (approved) await paypal.post(approved)
    await paypal.checked()
    expect([await paypal.paid(), captures()]).toEqual([at * 2_500, at])
    await paypal.pass(3_600_000)
    await paypal.checked()
    expect(await paypal.get(payment_id)).toMatchObject({ status: 'success' })
  }
  expect(world.logged.join('')).not.toContain('could not be settled')
})

test('another amount than requested waits for the operator', async () => {
  paypal.double.captures.push({ value: '24.00' })
  const { payment_id } = await paypal.topUp(2_500)
  expect(await paypal.get(payment_id)).toMatchObject({ status: 'pending', review: true })
  expect(await paypal.paid()).toBe(0)
  paypal.expected.push('clearing has 0, PayPal 2400')
})

test('loads a token once, and another one when PayPal ends it', async () => {
  const tokens = () => paypal.double.calls.filter((call) => call === 'POST v1/oauth2/token').length
  await Promise.all([paypal.begin(700), paypal.begin(800)])
  expect(tokens()).toBe(1)
  paypal.double.tokens.clear()
  await paypal.begin(900)
  expect(tokens()).toBe(2)
  await paypal.pass(10 * hour)
  await paypal.begin(1_000)
  expect(tokens()).toBe(3)
})

test('saves no method, is offered in dollars only, and has its own number', async () => {
  await paypal.topUp(2_500, { save: 1 })
  const saved = await paypal.world.api(methods.list, { project_id: paypal.ann.projectId }, { as: paypal.ann })
  expect(saved.body.results).toEqual([])
  const offered = (await paypal.world.api(paySystems.list, {}, {})).body.results
  expect(offered).toMatchObject([{ pay_system_id: 6, pay_name: 'paypal', currency: 'usd', recurrent: 0 }])
})

// The adapter of YooKassa against its stateful double.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { yookassaDouble, type YookassaDouble, yookassaShop } from '#server/testing/pay/yookassa-double.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { updatePaperSettings } from '#server/domain/billing/profile-store.ts'
import type { PaymentRow, PayProvider, ProviderPayment } from '#server/domain/billing/providers/provider.ts'
import { findProvider } from '#server/domain/billing/providers/registry.ts'

let double: YookassaDouble
let world: World
let yookassa: PayProvider
let ann: Person
let projectId: number

beforeEach(async () => {
  const now = { value: () => new Date() }
  double = await yookassaDouble(() => now.value())
  world = await testApp({ ...yookassaShop, PROVIDER_BASES: `yookassa=${double.base}` })
  now.value = () => world.clock.now()
  const provider = findProvider(world.services, 'yookassa')
  if (!provider) throw new Error('YooKassa is configured')
  yookassa = provider
  ann = await world.user('Ann')
  projectId = ann.projectId
})
afterEach(async () => {
  const { problems } = double
  await Promise.all([world.close(), double.close()])
  if (problems.length > 0) throw new Error(problems.join('\n'))
})

let seq = 0
async function newPayment(values: Partial<PaymentRow> = {}): Promise<PaymentRow> {
  return await world.services.db
    .insertInto('payments')
    .values({
      uuid: `payment-number-${++seq}`,
      project_id: projectId,
      user_id: null,
      provider: 'yookassa',
      pay_system_id: 5,
      currency: 'rub',
      amount_minor: 1005,
      type: 'topup',
      status: 'pending',
      date_create: world.clock.now().toISOString(),
      ...values,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

const beginning = { returnUrl: 'https://live.example.com/back', customer: null, email: 'ann@example.com', save: false }
const begin = async (payment: PaymentRow, save = false) => await yookassa.begin(payment, { ...beginning, save })

async function paid(values: Partial<PaymentRow> = {}, save = false) {
  const payment = await newPayment(values)
  const { payId } = await begin(payment, save)
  double.pay(payId)
  return { payment: { ...payment, pay_id: payId }, payId }
}

async function seenSince(date: Date): Promise<ProviderPayment[]> {
  const seen: ProviderPayment[] = []
  for await (const listed of yookassa.since(date)) seen.push((await listed()) ?? expect.fail('Not a payment of ours'))
  return seen
}

test('is offered only with a shop and its key', async () => {
  const other = await testApp({ YOOKASSA_SHOP_ID: '1' })
  expect(findProvider(other.services, 'yookassa')).toBeUndefined()
  await other.close()
})

test('begins a payment, and reports it as pending and then as paid', async () => {
  const payment = await newPayment()
  const { payId, redirectUrl } = await begin(payment)
  expect(redirectUrl).toContain(`/yoomoney.ru/checkout/payments/v2/contract?orderId=${payId}`)
  const pending = { payId, uuid: payment.uuid, status: 'pending', amountMinor: 1005, currency: 'rub', method: null }
  expect(await yookassa.check(payId)).toMatchObject({ ...pending, actionUrl: redirectUrl })
  double.pay(payId)
  expect(await yookassa.check(payId)).toMatchObject({ status: 'success', refunds: [], actionUrl: null })
})

test('the page of the double lets a customer pay, and leads back', async () => {
  const { payId, redirectUrl } = await begin(await newPayment())
  expect(await (await fetch(redirectUrl)).text()).toContain('10.05 RUB')
  const body = new URLSearchParams({ decision: 'pay' })
  const { status, headers } = await fetch(redirectUrl, { method: 'POST', body, redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([303, beginning.returnUrl])
  expect((await yookassa.check(payId)).status).toBe('success')
})

test('begins a payment once when the first answer was lost', async () => {
  const payment = await newPayment()
  double.failures.push('lost')
  await expect(begin(payment)).rejects.toMatchObject({ name: 'ProviderUnavailable' })
  const { payId } = await begin(payment)
  expect([...double.payments.keys()]).toEqual([payId])
})

test('finds a payment by its uuid when its key may be forgotten, on any page of the list', async () => {
  const first = await newPayment({ date_begin: world.clock.now().toISOString() })
  const { payId } = await begin(first)
  for (let count = 0; count < 4; count++) await begin(await newPayment())
  expect(await yookassa.find(first)).toBe(payId)
  expect(await yookassa.find(await newPayment())).toBeNull()
})

test('names a refusal by its code', async () => {
  double.failures.push('refused')
  await expect(begin(await newPayment())).rejects.toMatchObject({
    name: 'ProviderRefused',
    message: 'The platform refused: forbidden',
  })
})

test.each([
  ['insufficient_funds', 'error'],
  ['expired_on_confirmation', 'cancel'],
])('reports %s as %s', async (reason, status) => {
  const { payId } = await begin(await newPayment())
  double.pay(payId, reason)
  expect(await yookassa.check(payId)).toMatchObject({ status, reason })
})

test('saves a method if the customer agreed, and charges it', async () => {
  const { payId } = await paid({}, true)
  const { method } = await yookassa.check(payId)
  expect(method).toEqual({ token: payId, title: 'Mastercard •••• 4444', expires: '2029-07' })
  expect((await yookassa.check((await paid()).payId)).method).toBeNull()

  const charge = await newPayment({ type: 'restream', title: 'Pro', amount_minor: 99_000 })
  const charged = await yookassa.charge(charge, { token: payId })
  expect(charged).toMatchObject({ outcome: 'done' })
  expect(await yookassa.charge(charge, { token: payId })).toEqual(charged)
  expect(double.payments.size).toBe(3)
})

test.each([
  ['insufficient_funds', false],
  ['permission_revoked', true],
  ['card_expired', true],
])('a charge declined with %s is final: %s', async (reason, final) => {
  const { payId } = await paid({}, true)
  double.declines.set(payId, reason)
  expect(await yookassa.charge(await newPayment(), { token: payId })).toMatchObject({
    outcome: 'declined',
    reason,
    final,
    actionUrl: null,
  })
})

test('refunds once per key, and reports refunds of both sides', async () => {
  const { payment, payId } = await paid({ amount_minor: 5000 })
  double.failures.push('lost')
  await expect(yookassa.refund(payment, 1010, 'refund-key-1')).rejects.toMatchObject({ name: 'ProviderUnavailable' })
  await yookassa.refund(payment, 1010, 'refund-key-1')
  double.refundByShop(payId, '20.00')
  double.refundByShop(payId, '1.00')
  expect((await yookassa.check(payId)).refunds.map(({ key, takenMinor }) => [key, takenMinor])).toEqual([
    ['refund-key-1', 1010],
    [null, 2000],
    [null, 100],
  ])
})

test('reports refunds that are not decided, and those that were cancelled', async () => {
  const { payment, payId } = await paid({ amount_minor: 5000 })
  double.refundStates.push('pending', 'canceled')
  await yookassa.refund(payment, 1010, 'refund-key-1')
  await expect(yookassa.refund(payment, 1020, 'refund-key-2')).rejects.toMatchObject({ name: 'ProviderRefused' })
  const { refunds } = await yookassa.check(payId)
  expect(refunds.map(({ takenMinor, returnedMinor }) => [takenMinor, returnedMinor])).toEqual([
    [1010, 0],
    [1020, 1020],
  ])
})

test('a list that never ends is no answer', async () => {
  const { payId } = await paid()
  double.endless = true
  await expect(yookassa.check(payId)).rejects.toMatchObject({ name: 'ProviderUnavailable' })
})

test('lists payments since a time, and older ones that were refunded since', async () => {
  const old = await paid()
  await begin(await newPayment())
  world.clock.advance(86_400_000)
  const from = world.clock.now()
  const fresh = [await paid(), await paid(), await paid()]
  double.refundByShop(old.payId, '10.05')
  const seen = await seenSince(from)
  expect(seen.map(({ payId }) => payId)).toEqual([...fresh, old].map(({ payId }) => payId))
  expect(seen.at(-1)?.refunds).toHaveLength(1)
})

const from = (address: string) => ({ address, paymentOf: () => Promise.resolve(1) })
const webhook = (event: string, object: object) => Buffer.from(JSON.stringify({ type: 'notification', event, object }))

test('reads ids and nothing else from a webhook', async () => {
  const body = webhook('payment.succeeded', { id: 'pay-1', status: 'succeeded', amount: { value: '1000000.00' } })
  expect(await yookassa.readWebhook({}, body, from('185.71.76.3'))).toEqual({
    eventId: 'payment.succeeded:pay-1',
    refs: ['pay-1'],
  })
  const refund = webhook('refund.succeeded', { id: 'refund-1', payment_id: 'pay-1' })
  expect(await yookassa.readWebhook({}, refund, from('77.75.156.35'))).toEqual({
    eventId: 'refund.succeeded:refund-1',
    refs: ['pay-1'],
  })
})

test.each([
  ['185.71.77.31', true],
  ['::ffff:77.75.154.200', true],
  ['2a02:5180::1', true],
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['185.71.77.32', false],
  ['203.0.113.5', false],
  ['2001:db8::1', false],
  ['not an address', false],
])('takes a webhook from %s: %s', async (address, isTaken) => {
  const readWebhook = await yookassa.readWebhook({}, webhook('payment.succeeded', { id: 'pay-1' }), from(address))
  expect(readWebhook !== null).toBe(isTaken)
})

test.each(['', 'null', '{', '{"event":"payment.succeeded"}', '{"event":"x","object":{"id":"1"}}'])(
  'ignores the webhook body %j',
  async (body) => {
    expect(await yookassa.readWebhook({}, Buffer.from(body), from('185.71.76.3'))).toBeNull()
  },
)

test('sends no receipt until the operator sets tax system and VAT code, and then one with each call', async () => {
  await paid()
  expect(double.bodies[0]).not.toHaveProperty('receipt')
  await updatePaperSettings(world.services.db, {
    seller_name: '',
    seller_address: '',
    seller_tax_id: '',
    tax_system: 2,
    vat_code: 4,
  })
  const { payment, payId } = await paid({}, true)
  expect(await yookassa.check(payId)).toMatchObject({ hasReceipt: true })
  await yookassa.charge(await newPayment({ type: 'restream' }), { token: payId })
  await begin(await newPayment({ type: 'restream', title: 'Pro '.repeat(60), amount_minor: 39_000 }))
  const details = { country_id: 643, pay_system_id: 0, email: 'firm@example.com', date_change: '' }
  await world.services.db
    .insertInto('billing_profiles')
    .values({ ...details, project_id: projectId })
    .execute()
  await yookassa.refund(payment, 5, 'refund-key-2')
  const receipts = double.bodies.slice(1).map(({ receipt }) => receipt)
  expect(receipts).toMatchObject([
    { customer: { email: ann.email }, tax_system_code: 2, items: [{ vat_code: 6, payment_mode: 'advance' }] },
    { customer: { email: ann.email }, items: [{ vat_code: 4, payment_mode: 'full_payment' }] },
    { items: [{ payment_mode: 'full_payment', amount: { value: '390.00' } }] },
    { customer: { email: 'firm@example.com' }, items: [{ amount: { value: '0.05' } }] },
  ])
})

test('leaves key and shop out of errors', async () => {
  await double.close()
  const error = await begin(await newPayment()).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'ProviderUnavailable' })
  expect(JSON.stringify([error, world.logged])).not.toMatch(/test_secret|100500/)
})

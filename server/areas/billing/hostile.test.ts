// Hostile and unlucky sequences around payments: forged ids, changed currencies, unreachable providers, and the off mode.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { markPaid } from '#server/domain/billing/providers/invoice/provider.ts'
import { checkPayment } from '#server/domain/billing/payments/checks.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { forgetInstallation } from '#server/domain/installation/installation.ts'
import { updateInstallation } from '#server/domain/installation/store.ts'
import { type YookassaDouble, yookassaDouble, yookassaShop } from '#server/testing/pay/yookassa-double.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { pass, runChecks } from '#server/testing/pay/pay-jobs.ts'

let double: YookassaDouble
let world: World
let ann: Person
beforeEach(async () => {
  double = await yookassaDouble()
  world = await testApp({
    ...yookassaShop,
    INVOICE_DETAILS: 'IBAN DE00',
    PUBLIC_URL: 'https://live.example.com',
    PROVIDER_BASES: `yookassa=${double.base}`,
  })
  ann = await world.user('Ann')
})
afterEach(async () => {
  await Promise.all([world.close(), double.close()])
})

const inRoubles = (currency: 'rub' | 'usd' = 'rub') =>
  world.app.db.updateTable('projects').set({ currency }).where('id', '=', ann.projectId).execute()

const topUp = (more: object = {}) =>
  world.api(payments.create, { project_id: ann.projectId, type: 'topup', amount: 250_000, ...more }, { as: ann })

const get = (payId: number) => world.api(payments.get, { project_id: ann.projectId, payId }, { as: ann })

const row = (id: number) =>
  world.app.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const held = async () => (await getBalance(world.app.db, ann.projectId)).payment

/** A payment at YooKassa that was paid and credited. @returns its ids here and there */
async function credited() {
  await inRoubles()
  const { payment_id: id } = (await topUp({ pay_system_id: 5 })).body
  await world.api(paySystems.create, { payment_id: id }, { as: ann })
  const { pay_id: payId } = await row(id)
  double.pay(payId ?? '')
  await checkPayment(world.services, id)
  expect(await held()).toBe(250_000)
  return { id, payId: payId ?? '' }
}

const hear = (body: string) =>
  world.app.inject({
    method: 'POST',
    url: '/pay/webhook/yookassa',
    headers: { 'content-type': 'application/json' },
    payload: body,
  })

test.each(['a\u0000b', '\u0000', '\ud800', '', '%00', '../../x'])(
  'a message with the id %j is no server error',
  async (id) => {
    for (const object of [{ id }, { id: 'x', payment_id: id }]) {
      const { statusCode } = await hear(JSON.stringify({ event: 'payment.succeeded', object }))
      expect(statusCode).toBeLessThan(500)
    }
  },
)

const hostileBodies = [
  '',
  'null',
  '[]',
  '{',
  '{"id":"\\u0000","resource":{"id":"\\ud800"}}',
  `[${'['.repeat(50_000)}`,
  '\u0000\ufffd',
]
const hostileHeaders: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'stripe-signature': 't=1e99,v1=%00,v1=' },
  {
    'paypal-transmission-id': 'x'.repeat(5_000),
    'paypal-transmission-time': '0',
    'paypal-transmission-sig': '=',
    'paypal-cert-url': 'file:///etc/passwd',
    'paypal-auth-algo': 'SHA256withRSA',
  },
  {
    'paypal-transmission-id': '1',
    'paypal-transmission-time': '2026-01-01T00:00:00Z',
    'paypal-transmission-sig': 'AAAA',
    'paypal-cert-url': 'https://api.sandbox.paypal.com@127.0.0.1/v1/notifications/certs/CERT-1',
    'paypal-auth-algo': 'SHA256withRSA',
  },
]

test('billing check 6: hostile messages to every provider are refused without a server error', async () => {
  const bases = ['yookassa', 'stripe', 'paypal'].map((name) => `${name}=${double.base}`).join(',')
  const all = await testApp({
    ...yookassaShop,
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    PAYPAL_CLIENT_ID: 'x',
    PAYPAL_CLIENT_SECRET: 'x',
    PAYPAL_WEBHOOK_ID: 'x',
    PAYPAL_MODE: 'sandbox',
    INVOICE_DETAILS: 'IBAN DE00',
    PUBLIC_URL: 'https://live.example.com',
    PROVIDER_BASES: bases,
  })
  for (const provider of ['yookassa', 'stripe', 'paypal', 'invoice', 'unknown'])
    for (const headers of hostileHeaders)
      for (const payload of hostileBodies) {
        const url = `/pay/webhook/${provider}`
        const { statusCode } = await all.app.inject({ method: 'POST', url, headers, payload })
        expect([400, 404]).toContain(statusCode)
      }
  await all.close()
})

test('a refund that could not be checked is checked again', async () => {
  const { id, payId } = await credited()
  double.refundByShop(payId, '500.00')
  const at = double.payments.get(payId)
  if (!at) throw new Error('The payment is at the provider')
  at.status = 'unreadable' as never
  await checkPayment(world.services, id)
  expect(await held()).toBe(250_000)
  at.status = 'succeeded'
  await pass(world, 3_600_001)
  await runChecks(world.services)
  expect(await held()).toBe(200_000)
})

test('a refund after a change of currency books no amount of another currency', async () => {
  const { id, payId } = await credited()
  await inRoubles('usd')
  double.refundByShop(payId, '500.00')
  await checkPayment(world.services, id)
  expect(await held()).toBe(250_000)
  expect((await get(id)).body).toMatchObject({ review: true, refunded: 0 })
})

test('late money after a change of currency waits for the operator', async () => {
  const { payment_id: id } = (await topUp()).body
  await world.api(paySystems.create, { payment_id: id }, { as: ann })
  await inRoubles()
  await markPaid(world.services, (await row(id)).uuid, 250_000)
  await checkPayment(world.services, id)
  expect(await held()).toBe(0)
  expect((await get(id)).body).toMatchObject({ review: true })
})

test('while everything is included no way to pay is offered', async () => {
  const { payment_id } = (await topUp()).body
  await updateInstallation(world.app.db, { billing: 'off' })
  forgetInstallation(world.app.db)
  expect((await world.api(paySystems.list, {}, {})).body.results).toEqual([])
  expect((await topUp()).error?.name).toBe('PaymentsOff')
  expect((await world.api(paySystems.create, { payment_id }, { as: ann })).error?.name).toBe('PaymentsOff')
})

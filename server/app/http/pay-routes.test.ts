// Webhooks of payment providers under a flood: size, limit for each network, and messages about unknown payments.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PaypalWorld } from '#server/testing/pay/paypal-world.ts'

let paypal: PaypalWorld
beforeEach(async () => {
  paypal = await PaypalWorld.start({ RATE_LIMITS: 'on' })
})
afterEach(() => paypal.end())

const post = async (payload: string, { from = '203.0.113.7', headers = {}, to = paypal.world.app } = {}) =>
  (
    await to.inject({
      method: 'POST',
      url: '/pay/webhook/paypal',
      payload,
      remoteAddress: from,
      headers: { 'content-type': 'application/json', ...headers },
    })
  ).statusCode
const certificateLoads = () => paypal.double.calls.filter((call) => call.includes('/certs/')).length

test('refuses more than 64 KB', async () => {
  expect(await post('x'.repeat(64 * 1024))).toBe(400)
  expect(await post('x'.repeat(64 * 1024 + 1))).toBe(413)
})

test('refuses more than 300 messages of a network in a minute before it reads them, and none of another one', async () => {
  for (let at = 0; at < 300; at++) expect(await post('{')).toBe(400)
  expect(await post('{')).toBe(429)
  expect(await post('x'.repeat(64 * 1024 + 1))).toBe(429)
  expect(await post('{', { from: '203.0.113.8' })).toBe(400)
  paypal.world.clock.advance(60_000)
  expect(await post('{')).toBe(400)
})

test('takes any number of messages from a network that signed one', async () => {
  const { order } = await paypal.begin(2_500)
  const { payload, headers } = paypal.double.sign('CHECKOUT.ORDER.APPROVED', order)
  for (let at = 0; at < 310; at++) expect(await post(payload, { headers })).toBe(200)
})

test('does no work for a message about an unknown payment', async () => {
  const { order } = await paypal.begin(2_500)
  await paypal.checked()
  // The payment is due: any check would reach the provider.
  paypal.world.clock.advance(3_600_000)
  const calls = paypal.double.calls.length
  const { payload, headers } = paypal.double.sign('CHECKOUT.ORDER.APPROVED', {
    ...order,
    id: 'UNKNOWN',
    purchase_units: [],
  })
  const to = await paypal.world.replica()
  expect(await post(payload, { to, headers })).toBe(200)
  expect(await post(payload, { to, headers: { ...headers, 'paypal-transmission-sig': 'AAAA' } })).toBe(200)
  const { db } = paypal.world.app
  expect(await db.selectFrom('pay_providers').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('payment_events').selectAll().execute()).toEqual([])
  // Checks that a message started are awaited.
  await to.close()
  expect(paypal.double.calls.length).toBe(calls)
  expect(certificateLoads()).toBe(0)
})

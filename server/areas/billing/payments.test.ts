// Payments over HTTP with manual invoices: top up, settle, cancel, limits, and the operator's decision on other amounts.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { methods } from '#contract/areas/billing/methods.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { markPaid } from '#server/domain/billing/providers/invoice/provider.ts'
import { checkPayment } from '#server/domain/billing/payments/checks.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { readState } from '#server/domain/tariffs/subscriptions.ts'
import { brokenRules } from '#server/testing/tariffs.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { pass, runChecks } from '#server/testing/pay/pay-jobs.ts'
import { setPrice } from '#server/testing/billing.ts'

let world: World
let ann: Person
beforeEach(async () => {
  world = await testApp({ INVOICE_DETAILS: String.raw`IBAN DE00\nRelaydeck`, PUBLIC_URL: 'https://live.example.com' })
  ann = await world.user('Ann')
})
afterEach(() => world.close())

const topUp = (more: object = {}) =>
  world.api(payments.create, { project_id: ann.projectId, type: 'topup', amount: 2_500, ...more }, { as: ann })

const get = (payId: number) => world.api(payments.get, { project_id: ann.projectId, payId }, { as: ann })

const uuidOf = async (id: number) =>
  (await world.app.db.selectFrom('payments').select('uuid').where('id', '=', id).executeTakeFirstOrThrow()).uuid

const paid = async () => (await getBalance(world.app.db, ann.projectId)).payment

test('credits an invoice once the operator has marked it as paid', async () => {
  const { payment_id, pay_name } = (await topUp()).body
  expect(pay_name).toBe('invoice')
  const redirect = await world.api(paySystems.create, { payment_id }, { as: ann })
  expect(redirect.body.redirect_url).toBe(`https://live.example.com/p/${ann.projectId}/billing/payments/${payment_id}`)
  expect((await get(payment_id)).body).toMatchObject({
    status: 'pending',
    amount: 2_500,
    currency: 'usd',
    plan_period: null,
    instructions: 'IBAN DE00\nRelaydeck',
  })
  await markPaid(world.services, await uuidOf(payment_id), 2_500)
  expect(await paid()).toBe(0)
  for (let at = 0; at < 3; at++) await checkPayment(world.services, payment_id)
  expect(await paid()).toBe(2_500)
  expect((await get(payment_id)).body).toMatchObject({ status: 'success', refunded: 0, reason: null })
  expect(await brokenRules(world.services as never, ann.projectId)).toEqual([])
})

test('all names of pay-system/create answer the same address, to owners only', async () => {
  const { payment_id } = (await topUp({ type: 'top_up' })).body
  const ben = await world.user('Ben')
  const addresses = new Set<string>()
  for (const op of [paySystems.create, paySystems.payoneer, paySystems.unitpay, paySystems.tBank]) {
    expect((await world.api(op, { payment_id }, { as: ben })).status).toBe(403)
    addresses.add((await world.api(op, { payment_id }, { as: ann })).body.redirect_url)
  }
  expect(addresses.size).toBe(1)
})

test('a check by schedule settles a payment that nothing announced', async () => {
  const { payment_id } = (await topUp()).body
  await world.api(paySystems.create, { payment_id }, { as: ann })
  await markPaid(world.services, await uuidOf(payment_id), 2_500)
  expect(await runChecks(world.services)).toBe(0)
  await pass(world, 11_000)
  expect(await runChecks(world.services)).toBe(1)
  expect(await paid()).toBe(2_500)
})

test('another amount is not booked, and waits for the operator', async () => {
  const { payment_id } = (await topUp()).body
  await world.api(paySystems.create, { payment_id }, { as: ann })
  await markPaid(world.services, await uuidOf(payment_id), 2_400)
  await checkPayment(world.services, payment_id)
  expect(await paid()).toBe(0)
  expect((await get(payment_id)).body).toMatchObject({ status: 'pending', review: true })
})

test('the same key creates one payment, and refuses another request', async () => {
  const key = { idempotency_key: 'a-key-of-tests' }
  const all = await Promise.all([topUp(key), topUp(key), topUp(key)])
  expect(new Set(all.map(({ body }) => body.payment_id)).size).toBe(1)
  expect((await topUp({ ...key, amount: 2_501 })).error?.name).toBe('IdempotencyKeyReused')
})

test('a project has at most five pending payments, and cancels them', async () => {
  const made = []
  for (let at = 0; at < 5; at++) made.push((await topUp()).body.payment_id)
  expect((await topUp()).error).toMatchObject({ name: 'TooManyPayments', data: { pending_max: 5 } })
  const [first = 0, second = 0] = made
  await world.api(paySystems.create, { payment_id: second }, { as: ann })
  for (const payment_id of [first, second]) {
    const input = { project_id: ann.projectId, payment_id }
    expect((await world.api(payments.cancel, input, { as: ann })).status).toBe(200)
    expect((await get(payment_id)).body.status).toBe('cancel')
    expect((await world.api(payments.cancel, input, { as: ann })).error?.name).toBe('PaymentEnded')
  }
  const listed = await world.api(payments.list, { page: 1, pageSize: 2 }, { as: ann })
  expect(listed.body).toMatchObject({ page: 1, pageSize: 2, total: 5 })
  expect(listed.body.results).toHaveLength(2)
})

test('a payment that is never begun ends after a day', async () => {
  const { payment_id } = (await topUp()).body
  await pass(world, 25 * 3_600_000)
  ann = await world.signIn(ann)
  await runChecks(world.services)
  expect((await get(payment_id)).body).toMatchObject({ status: 'cancel', reason: 'expired' })
})

test.each([
  [{ amount: 1 }, 'AmountNotAllowed'],
  [{ pay_system_id: 2 }, 'PaySystemNotOffered'],
  [{ method_id: 7 }, 'MethodNotFound'],
  [{ type: 'storage' }, 'I18nValidationException'],
])('refuses %j with %s', async (more, name) => {
  expect((await topUp(more)).error?.name).toBe(name)
})

test('without a provider no payment is accepted', async () => {
  const bare = await testApp()
  try {
    const ben = await bare.user('Ben')
    const input = { project_id: ben.projectId, type: 'topup', amount: 2_500 } as const
    expect((await bare.api(payments.create, input, { as: ben })).error?.name).toBe('PaymentsOff')
    expect((await bare.api(paySystems.list, {})).body.results).toEqual([])
    expect((await bare.api(methods.list, { project_id: ben.projectId }, { as: ben })).body.results).toEqual([])
  } finally {
    await bare.close()
  }
})

const space = { type: 'storage', plan_period: 'year', plan_storage_id: 1, plan_storage_value: 1000 } as const

test('refuses a payment for more transcoders than the servers can run', async () => {
  const plan = { type: 'transcoding', plan_period: 'month', plan_transcoding_id: 2 } as const
  const refused = await topUp({ ...plan, plan_transcoding_count_flow: 50 })
  expect(refused.error).toMatchObject({ name: 'NoCapacity', data: { space: 4 } })
  const within = await topUp({ ...plan, plan_transcoding_count_flow: 2 })
  expect(within.error?.name).toBe('AmountDiffers')
})

const spaceOf = async () => {
  const { slots } = await readState(world.app.db, world.clock, ann.projectId, 'storage')
  return slots.current.size
}

/** Pays for a plan by invoice. @returns the payment after the check */
async function payForPlan(amount: number, before: () => Promise<void> = async () => undefined) {
  const { payment_id } = (await topUp({ ...space, amount })).body
  await world.api(paySystems.create, { payment_id }, { as: ann })
  await before()
  await markPaid(world.services, await uuidOf(payment_id), amount)
  await checkPayment(world.services, payment_id)
  await checkPayment(world.services, payment_id)
  return (await get(payment_id)).body
}

/** Returns the quote that a wrong amount is refused with. */
const quoted = async () => {
  const { error } = await topUp({ ...space, amount: 123 })
  return error?.data['quote'] as { readonly amount: number; readonly total: number; readonly balance: number }
}

test('I6: a payment for a plan buys it, and the amount has to be what the quote leaves to pay', async () => {
  const refused = await topUp({ ...space, amount: 123 })
  const quote = await quoted()
  expect(refused.error).toMatchObject({ name: 'AmountDiffers', data: { quote: { currency: 'usd' } } })
  expect(quote.amount).toBe(quote.total - quote.balance)
  const paidFor = await payForPlan(quote.amount)
  expect(paidFor).toMatchObject({ status: 'success', purchase: { outcome: 'bought', reason: null } })
  expect(await spaceOf()).toBe(1000)
  expect(await paid()).toBe(0)
})

test('billing check 8: keeps the money and names the reason when the price changes while the customer pays', async () => {
  const { amount } = await quoted()
  const kept = await payForPlan(amount, async () => {
    await setPrice(world.app.db, 'storage', 1, { usd: 9 })
  })
  expect(kept).toMatchObject({ status: 'success', purchase: { outcome: 'kept', reason: 'QuoteChanged' } })
  expect([await spaceOf(), await paid()]).toEqual([0, amount])
})

test('billing check 8: holds the quote for 24 hours', async () => {
  const { amount } = await quoted()
  const late = async (hours: number) => {
    await pass(world, hours * 3_600_000)
    ann = await world.signIn(ann)
  }
  expect(await payForPlan(amount, () => late(3))).toMatchObject({ purchase: { outcome: 'bought' } })
})

// Unsigned messages of a known payment, and payments that their provider cannot cancel.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { eventually } from '#server/testing/eventually.ts'
import { yookassaDouble, type YookassaDouble, yookassaShop } from '#server/testing/pay/yookassa-double.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { pass, runChecks } from '#server/testing/pay/pay-jobs.ts'

let double: YookassaDouble
let world: World
let ann: Person

beforeEach(async () => {
  const now = { value: () => new Date() }
  double = await yookassaDouble(() => now.value())
  world = await testApp({ ...yookassaShop, PROVIDER_BASES: `yookassa=${double.base}`, RATE_LIMITS: 'on' })
  now.value = () => world.clock.now()
  ann = await world.user('Ann')
  await world.app.db.updateTable('projects').set({ currency: 'rub' }).where('id', '=', ann.projectId).execute()
})
afterEach(() => Promise.all([world.close(), double.close()]))

async function begin(): Promise<{ readonly id: number; readonly payId: string }> {
  const top = { project_id: ann.projectId, type: 'topup', amount: 50_000 } as const
  const { payment_id: id } = (await world.api(payments.create, top, { as: ann })).body
  await world.api(paySystems.create, { payment_id: id }, { as: ann })
  const { pay_id } = await world.app.db
    .selectFrom('payments')
    .select('pay_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, payId: pay_id ?? '' }
}

const statusOf = async (payId: number) =>
  (await world.api(payments.get, { project_id: ann.projectId, payId }, { as: ann })).body

test('billing check 6: bounds the storage and the checks of forged messages, and books the true one', async () => {
  const { id, payId } = await begin()
  const post = async (at: number) => {
    const object = { id: `forged-${at}`, payment_id: payId, note: 'x'.repeat(20_000) }
    const payload = { event: 'refund.succeeded', object }
    const answer = await world.app.inject({ method: 'POST', url: '/pay/webhook/yookassa', payload })
    await runChecks(world.services)
    return answer
  }
  const before = double.calls.length
  for (let at = 0; at < 120; at++) expect((await post(at)).statusCode).toBe(200)
  await runChecks(world.services)
  expect(double.calls.length - before).toBeLessThan(70)
  double.pay(payId)
  expect((await post(120)).statusCode).toBe(200)
  for (let minute = 0; minute < 3; minute++) {
    await pass(world, 61_000)
    for (let at = 0; at < 70; at++) await post(1000 + minute * 100 + at)
  }
  await runChecks(world.services)
  const stored = await world.app.db.selectFrom('payment_events').select('body').execute()
  expect(stored.length).toBe(200)
  expect(Math.max(...stored.map(({ body }) => body.length))).toBe(4096)
  ann = await world.signIn(ann)
  expect((await statusOf(id)).status).toBe('success')
})

test('cancels payments that the provider cannot cancel, and credits a late success', async () => {
  const begun = []
  for (let at = 0; at < 5; at++) begun.push(await begin())
  const [first = { id: 0, payId: '' }] = begun
  for (const { id: payment_id } of begun) {
    const cancelled = await world.api(payments.cancel, { project_id: ann.projectId, payment_id }, { as: ann })
    expect(cancelled.status).toBe(200)
    expect(await statusOf(payment_id)).toMatchObject({ status: 'cancel', reason: 'given_up' })
  }
  const another = { project_id: ann.projectId, type: 'topup', amount: 50_000 } as const
  expect((await world.api(payments.create, another, { as: ann })).status).toBe(201)
  double.pay(first.payId)
  await pass(world, 25 * 3_600_000)
  await runChecks(world.services)
  ann = await world.signIn(ann)
  expect((await statusOf(first.id)).status).toBe('success')
})

test('billing check 5: the same message of YooKassa 50 times over two replicas books one payment', async () => {
  const { id, payId } = await begin()
  double.pay(payId)
  const other = await world.replica()
  const payload = { event: 'payment.succeeded', object: { id: payId } }
  const post = ({ inject }: Pick<typeof other, 'inject'>) =>
    inject({ method: 'POST', url: '/pay/webhook/yookassa', payload })
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => post(at % 2 ? other : world.app)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  await pass(world, 61_000)
  await Promise.all([runChecks(world.services), runChecks(other.services)])
  ann = await world.signIn(ann)
  expect((await statusOf(id)).status).toBe('success')
  const { db } = world.app
  const booked = await db.selectFrom('ledger_transactions').selectAll().where('type', '=', 'payment').execute()
  expect(booked).toHaveLength(1)
  const events = await db.selectFrom('payment_events').select('times').execute()
  expect(events).toEqual([{ times: 50 }])
})

test('billing check 6: a message of YooKassa from a stranger changes nothing, and the true one after it does', async () => {
  const { id, payId } = await begin()
  const payload = { event: 'payment.succeeded', object: { id: payId, status: 'succeeded', paid: true } }
  const from = (remoteAddress: string) =>
    world.app.inject({ method: 'POST', url: '/pay/webhook/yookassa', payload, remoteAddress })
  // Outside the published networks; then from a network of YooKassa, before the customer has paid.
  expect((await from('203.0.113.7')).statusCode).toBe(400)
  expect(await world.app.db.selectFrom('payment_events').selectAll().execute()).toEqual([])
  expect((await from('185.71.76.1')).statusCode).toBe(200)
  world.app.jobs.start()
  // The service checks by itself: the request for the payment has arrived at the double.
  await eventually(async () => double.calls.includes(`GET payments/${payId}`))
  expect((await statusOf(id)).status).toBe('pending')
  double.pay(payId)
  expect((await from('185.71.76.1')).statusCode).toBe(200)
  await eventually(async () => (await statusOf(id)).status === 'success')
})

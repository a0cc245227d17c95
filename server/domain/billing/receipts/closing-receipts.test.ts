// Closing receipts (54-FZ) against the double of YooKassa: purchases from top-ups, other money, lost answers and refusals.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { health } from '#contract/areas/operator/health.ts'
import { transfers } from '#contract/areas/billing/transfers.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { upgrade } from '#server/testing/channels.ts'
import { planWithTeams } from '#server/testing/team.ts'
import { endPlanIn } from '#server/domain/tariffs/subscriptions-change.ts'
import { makeOperator } from '#server/testing/test-app.ts'
import { killIn } from '#server/testing/pay/pay-world.ts'
import { withoutJobs } from '#server/testing/without-jobs.ts'
import { YookassaWorld } from '#server/testing/pay/yookassa-world.ts'
import { transaction } from '#server/db/transaction.ts'
import { runClosingReceipts } from '#server/testing/pay/pay-jobs.ts'

/** Price of a month of plan 2, kopecks. */
const price = 39_000
/** Longer than a lease, and than the first delays. */
const leaseMs = 61_000

const token = 'token-of-the-metrics'

let pay: YookassaWorld
beforeEach(async () => {
  withoutJobs()
  pay = await YookassaWorld.start({ METRICS_TOKEN: token })
})
afterEach(() => pay.end())

test('a purchase from two top-ups closes the older one first, each at its payment, once', async () => {
  const first = await pay.topUp(30_000)
  const second = await pay.topUp(30_000)
  await pay.buy()
  expect(await pay.send()).toBe(2)
  expect(await pay.send()).toBe(0)
  const position = expect.stringMatching(/^Тариф рестрима: /)
  // They are sent at the same time.
  expect(new Set(pay.closed)).toEqual(
    new Set([
      [first.payId, position, '300.00'],
      [second.payId, position, '90.00'],
    ]),
  )
  const isSecond = (body: object) => 'settlements' in body && 'payment_id' in body && body.payment_id === second.payId
  expect(pay.double.bodies.find(isSecond)).toEqual({
    type: 'payment',
    payment_id: second.payId,
    send: true,
    customer: { email: pay.ann.email },
    tax_system_code: 2,
    items: [
      {
        description: position,
        quantity: 1,
        amount: { value: '90.00', currency: 'RUB' },
        vat_code: 4,
        payment_subject: 'service',
        payment_mode: 'full_payment',
      },
    ],
    settlements: [{ type: 'prepayment', amount: { value: '90.00', currency: 'RUB' } }],
  })
  expect((await pay.rows()).map(({ state, body }) => [state, body])).toEqual([
    ['done', null],
    ['done', null],
  ])
})

test('other money is spent before an advance, and so is money that came back from a plan', async () => {
  const { projectId } = pay.ann
  const { db, clock } = { db: pay.world.app.db, clock: pay.world.clock }
  await pay.grant(30_000)
  await pay.topUp(60_000)
  await pay.buy()
  await transaction(db, (trx) => endPlanIn(trx, clock, projectId, 'restream'))
  await pay.buy()
  await pay.send()
  expect(pay.closed.map(([, , amount]) => amount)).toEqual(['90.00'])
})

test('a plan that is paid directly closes nothing', async () => {
  const more = { type: 'restream', plan_restream_id: 2, plan_period: 'month' }
  await pay.topUp(price, more)
  await pay.send()
  expect([pay.double.bodies[0]?.['receipt'], pay.closed]).toEqual([
    expect.objectContaining({ items: [expect.objectContaining({ payment_mode: 'full_payment' })] }),
    [],
  ])
})

test('without the codes there is no advance and no receipt', async () => {
  await pay.setCodes(null, null)
  await pay.topUp(price)
  await pay.buy()
  await pay.setCodes(2, 4)
  expect([await pay.send(), await pay.rows()]).toEqual([0, []])
})

test('receipts wait while the codes are not set', async () => {
  await pay.topUp(price)
  await pay.buy()
  await pay.setCodes(null, null)
  expect([await pay.send(), pay.closed]).toEqual([0, []])
  await pay.setCodes(1, 1)
  expect([await pay.send(), pay.closed.length]).toEqual([1, 1])
})

test('two replicas send one receipt', async () => {
  const other = await pay.world.replica()
  await pay.topUp(price)
  await pay.buy()
  const steps = await Promise.all([pay.send(), runClosingReceipts(other.services)])
  expect([steps[0] + steps[1], pay.closed.length]).toEqual([1, 1])
  await other.close()
})

test('an answer that was lost is repeated with the same request, also after the e-mail of the project changed', async () => {
  await pay.topUp(price)
  await pay.buy()
  pay.double.failures.push('lost')
  await pay.send()
  expect((await pay.rows())[0]).toMatchObject({ state: 'waiting', tries: 1 })
  expect(await pay.send()).toBe(0)
  const details = { country_id: 643, pay_system_id: 0, email: 'firm@example.com', date_change: '' }
  const profile = { ...details, project_id: pay.ann.projectId }
  await pay.world.app.db.insertInto('billing_profiles').values(profile).execute()
  await pay.pass(2 * leaseMs)
  expect(await pay.send()).toBe(1)
  expect([pay.closed.length, (await pay.rows())[0]?.state]).toEqual([1, 'done'])
})

test('a secret key that is not accepted refuses no receipt', async () => {
  await pay.topUp(price)
  await pay.buy()
  pay.double.failures.push('unauthorized')
  await pay.send()
  expect((await pay.rows())[0]).toMatchObject({ state: 'waiting', tries: 1, reason: null })
})

test('finds a receipt whose answer was lost after the key was forgotten', async () => {
  await pay.topUp(price)
  await pay.buy()
  pay.double.failures.push('lost')
  await pay.send()
  await pay.pass(24 * 3_600_000)
  pay.double.forget()
  await pay.send()
  expect([pay.closed.length, (await pay.rows())[0]?.state]).toEqual([1, 'done'])
})

test.each([false, true])('killed while a receipt is sent (at YooKassa: %s): one receipt', async (effect) => {
  const victim = await pay.world.replica()
  await pay.topUp(price)
  await pay.buy()
  await killIn(pay.double, { call: 'POST receipts', effect }, () => runClosingReceipts(victim.services))
  expect([await pay.send(), pay.closed.length]).toEqual([0, effect ? 1 : 0])
  await pay.pass(leaseMs)
  expect([await pay.send(), pay.closed.length, (await pay.rows())[0]?.state]).toEqual([1, 1, 'done'])
})

test('checks until a receipt is registered', async () => {
  await pay.topUp(price)
  await pay.buy()
  pay.double.registrations.push('pending')
  await pay.send()
  expect((await pay.rows())[0]?.state).toBe('sent')
  const [receipt] = pay.double.receipts.values()
  if (receipt) receipt.status = 'succeeded'
  await pay.pass(leaseMs)
  await pay.send()
  expect([(await pay.rows())[0]?.state, pay.closed.length]).toEqual(['done', 1])
})

test('a receipt whose first call is long ago is registered in three days from its last key', async () => {
  const victim = await pay.world.replica()
  await pay.topUp(price)
  await pay.buy()
  await killIn(pay.double, { call: 'POST receipts', effect: false }, () => runClosingReceipts(victim.services))
  await pay.pass(4 * 86_400_000)
  pay.double.registrations.push('pending')
  await pay.send()
  expect((await pay.rows())[0]).toMatchObject({ state: 'sent', reason: null })
})

test.each(['by hand', 'again'] as const)('a refused receipt waits for the operator: %s', async (decision) => {
  await makeOperator(pay.world, pay.ann)
  const { payment_id } = await pay.topUp(price)
  await pay.buy()
  pay.double.failures.push('refused')
  await pay.send()
  const shown = async () => (await pay.world.api(health.get, {}, { as: pay.ann })).body.receipts
  const metrics = await pay.world.app.inject({
    method: 'GET',
    url: '/metrics',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(metrics.body).toContain('closing_receipts{state="refused"} 1')
  const { refused, waiting } = await shown()
  expect(waiting).toBe(0)
  expect(refused).toMatchObject([{ payment_id, amount: price, reason: 'forbidden', project_id: pay.ann.projectId }])
  const input = { receipt_id: refused[0]?.receipt_id ?? 0, again: decision === 'again', reason: 'Bill 7' }
  expect((await pay.world.api(health.resolveReceipt, input, { as: pay.ann })).status).toBe(200)
  expect((await pay.world.api(health.resolveReceipt, input, { as: pay.ann })).error?.name).toBe('NoReceipt')
  await pay.send()
  expect((await shown()).refused).toEqual([])
  expect([(await pay.rows())[0]?.state, pay.closed.length]).toEqual(decision === 'again' ? ['done', 1] : ['by_hand', 0])
})

test('a receipt that cannot be registered is sent again with another key', async () => {
  await makeOperator(pay.world, pay.ann)
  await pay.topUp(price)
  await pay.buy()
  pay.double.registrations.push('canceled')
  await pay.send()
  const [row] = await pay.rows()
  expect(row).toMatchObject({ state: 'refused', reason: 'canceled' })
  const input = { receipt_id: row?.id ?? 0, again: true, reason: 'The register works again' }
  await pay.world.api(health.resolveReceipt, input, { as: pay.ann })
  await pay.send()
  expect([(await pay.rows())[0]?.state, pay.closed.length]).toEqual(['done', 2])
})

test('an advance moves with the balance to another project', async () => {
  await upgrade(pay.world, pay.ann, planWithTeams)
  const team = await pay.world.api(projects.create, { name: 'Team', currency: 'rub' }, { as: pay.ann })
  const other = team.body.internal_id
  await pay.useRoubles(pay.ann.projectId)
  await pay.useRoubles(other)
  const { payId } = await pay.topUp(price)
  const move = { project_id: pay.ann.projectId, to_project_id: other, amount: price }
  expect((await pay.world.api(transfers.move, move, { as: pay.ann })).status).toBe(200)
  await pay.buy(2, other)
  await pay.send()
  expect(pay.closed).toEqual([[payId, expect.anything(), '390.00']])
})

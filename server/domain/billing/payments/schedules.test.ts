// Delays of the jobs of payments: the time until each run after the one before.
import { afterEach, expect, test } from 'vitest'
import { payments } from '#contract/areas/operator/payments.ts'
import { NoConnectionError } from '#server/db/faults.ts'
import { findDueTimes } from '#server/db/jobs.ts'
import {
  insertMissing,
  pass,
  reconcile,
  runClosingReceipts,
  runChecks,
  runRefunds,
} from '#server/testing/pay/pay-jobs.ts'
import { PaypalWorld } from '#server/testing/pay/paypal-world.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { YookassaWorld } from '#server/testing/pay/yookassa-world.ts'
import { makeOperator, type World } from '#server/testing/test-app.ts'
import { receiptJob } from '#server/domain/billing/receipts/closing-receipts.ts'
import { checkJob } from './checks.ts'
import { reconcileJob } from './reconcile.ts'
import { refundJob } from '#server/domain/billing/refunds/refunds.ts'

const [minute, hour] = [60_000, 3_600_000]

let close = async () => {}
afterEach(() => close())

async function startStripe(): Promise<StripeWorld> {
  const stripe = await StripeWorld.start()
  close = () => stripe.close()
  return stripe
}

async function startYookassa(): Promise<YookassaWorld> {
  const pay = await YookassaWorld.start()
  close = () => pay.end()
  return pay
}

/** Returns the time until the next run of a kind, milliseconds, rounded up to 10 s; undefined: none. */
async function dueIn({ services: { db } }: World, { kind }: { readonly kind: string }): Promise<number | undefined> {
  const ms = (await findDueTimes(db, [kind])).byKind.get(kind)
  return ms === undefined ? undefined : Math.ceil(ms / 10_000) * 10_000
}

/** Repeats a job at its time. @returns the time until each run */
async function delaysOf(
  world: World,
  kind: { readonly kind: string },
  { times, run }: { readonly times: number; readonly run: () => Promise<unknown> },
): Promise<readonly (number | undefined)[]> {
  const delays = [await dueIn(world, kind)]
  for (let at = 0; at < times; at++) {
    await pass(world, delays.at(-1) ?? 0)
    await run()
    delays.push(await dueIn(world, kind))
  }
  return delays
}

test('repeats a check that the database interrupts within a minute, however often', async () => {
  const stripe = await startStripe()
  const { payment_id, session } = await stripe.begin(2_500)
  stripe.double.act(session, 'pay')
  await pass(stripe.world, 10_000)
  const interrupted = () => {
    throw new NoConnectionError()
  }
  const run = () => runChecks(stripe.world.services, interrupted)
  await run()
  expect(await delaysOf(stripe.world, checkJob, { times: 5, run })).toEqual(
    [10, 20, 40, 60, 60, 60].map((s) => s * 1_000),
  )
  const { looks } = await stripe.world.app.db
    .selectFrom('payments')
    .select('looks')
    .where('id', '=', payment_id)
    .executeTakeFirstOrThrow()
  expect(looks).toBe(0)
  await pass(stripe.world, minute)
  await runChecks(stripe.world.services)
  expect(await stripe.get(payment_id)).toMatchObject({ status: 'success' })
})

test('checks a payment a day after its creation, and at growing intervals once it has begun', async () => {
  const { world, create, redirect } = await startYookassa()
  const { payment_id } = (await create(50_000)).body
  expect(await dueIn(world, checkJob)).toBe(24 * hour)
  await redirect(payment_id)
  const delays = await delaysOf(world, checkJob, { times: 7, run: () => runChecks(world.services) })
  expect(delays).toEqual([10_000, 10_000, minute, 5 * minute, 30 * minute, hour, hour, hour])
})

test('sends a refund without an answer again after a minute, then after delays that double up to 6 hours', async () => {
  const stripe = await startStripe()
  const { world, ann, double } = stripe
  await makeOperator(world, ann)
  const { payment_id } = await stripe.topUp(2_500)
  const fail = () => double.faults.push('error', 'error')
  fail()
  await world.api(payments.refund, { payment_id, amount: 700, reason: 'Asked by e-mail' }, { as: ann })
  const run = async () => {
    fail()
    expect(await runRefunds(world.services)).toBe(1)
  }
  const delays = await delaysOf(world, refundJob, { times: 10, run })
  const doubled = [1, 2, 4, 8, 16, 32, 64, 128, 256].map((times) => times * minute)
  expect(delays).toEqual([...doubled, 6 * hour, 6 * hour])
})

test('sends a receipt without an answer again after 2 minutes, then after delays that double up to 6 hours', async () => {
  const pay = await startYookassa()
  await pay.topUp(39_000)
  await pay.buy()
  const run = async () => {
    pay.double.failures.push('unauthorized')
    expect(await runClosingReceipts(pay.world.services)).toBe(1)
  }
  const [first, ...delays] = await delaysOf(pay.world, receiptJob, { times: 10, run })
  expect(first).toBeLessThanOrEqual(0)
  const doubled = [2, 4, 8, 16, 32, 64, 128, 256].map((times) => times * minute)
  expect(delays).toEqual([...doubled, 6 * hour, 6 * hour])
})

test('checks a receipt that is not registered after a minute, then after delays that double', async () => {
  const pay = await startYookassa()
  await pay.topUp(39_000)
  await pay.buy()
  pay.double.registrations.push('pending')
  const [, ...delays] = await delaysOf(pay.world, receiptJob, {
    times: 4,
    run: () => runClosingReceipts(pay.world.services),
  })
  expect(delays).toEqual([1, 2, 4, 8].map((times) => times * minute))
})

test('reconciles a provider at the start and each hour, and five minutes after a failure', async () => {
  const paypal = await PaypalWorld.start()
  close = () => paypal.end()
  const { world, double } = paypal
  await insertMissing(world.services, reconcileJob)
  expect(await dueIn(world, reconcileJob)).toBeLessThanOrEqual(0)
  await reconcile(world.services)
  expect(await dueIn(world, reconcileJob)).toBe(hour)
  double.mayRead = 'nothing'
  await pass(world, hour)
  await reconcile(world.services)
  expect(await dueIn(world, reconcileJob)).toBe(5 * minute)
  double.mayRead = 'all'
  await pass(world, 5 * minute)
  await reconcile(world.services)
  expect(await dueIn(world, reconcileJob)).toBe(hour)
})

test('fills the table after an upgrade: pending payments, open refunds and receipts', async () => {
  const pay = await startYookassa()
  await makeOperator(pay.world, pay.ann)
  const { payment_id } = await pay.topUp(78_000)
  await pay.buy()
  const { payment_id: pending } = (await pay.create(1_000)).body
  const { services, app } = pay.world
  await app.db.deleteFrom('jobs').execute()
  const values = { payment_id, user_id: null, requested_minor: 100, date_create: '', uuid: 'refund-1' }
  const refund = { ...values, state: 'requested', reason: null, advance_minor: null, advance_parts: null } as const
  await app.db.insertInto('payment_refunds').values(refund).execute()
  for (const kind of [checkJob, refundJob, receiptJob, reconcileJob]) await insertMissing(services, kind)
  const rows = await app.db.selectFrom('jobs').select(['kind', 'key']).orderBy('kind').execute()
  expect(rows).toEqual([
    { kind: checkJob.kind, key: String(pending) },
    { kind: receiptJob.kind, key: '1' },
    { kind: reconcileJob.kind, key: 'yookassa' },
    { kind: refundJob.kind, key: '1' },
  ])
})

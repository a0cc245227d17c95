// Overview of the operators: each number is that of its list, and each item of the inbox is a notification of its own kind.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { payouts as ofProject } from '#contract/areas/billing/payouts.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { customers } from '#contract/areas/operator/customers.ts'
import { health } from '#contract/areas/operator/health.ts'
import { ledger } from '#contract/areas/operator/ledger.ts'
import { overview } from '#contract/areas/operator/overview.ts'
import { payments } from '#contract/areas/operator/payments.ts'
import { payouts } from '#contract/areas/operator/payouts.ts'
import { subscriptions } from '#contract/areas/operator/subscriptions.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import type { SubscriptionView } from '#contract/entities/operator.ts'
import type { JobKind } from '#server/core/jobs.ts'
import { scheduleJob } from '#server/db/jobs.ts'
import { transaction } from '#server/db/transaction.ts'
import { updateInstallation } from '#server/domain/installation/store.ts'
import { backupJob, parkedJob } from '#server/domain/operator/notices.ts'
import { setBalance } from '#server/testing/billing.ts'
import { runJobs } from '#server/testing/jobs.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { newWay } from '#server/testing/promos.ts'
import { newOperator, type Person } from '#server/testing/test-app.ts'

const dayMs = 86_400_000
const reason = 'A test'
let stripe: StripeWorld
let operator: Person
beforeEach(async () => {
  stripe = await StripeWorld.start({ INVOICE_DETAILS: 'IBAN' })
  operator = await newOperator(stripe.world)
})
afterEach(() => stripe.close())

const as = () => ({ as: operator })
const get = async () => (await stripe.world.api(overview.get, {}, as())).body
const counts = async () => Object.fromEntries((await get()).inbox.map(({ kind, count }) => [kind, count]))
const notices = async (person: Person = operator) =>
  (await stripe.world.api(history.list, { limit: 100 }, { as: person })).body.results.map(({ name }) => name)
const unread = async () =>
  (await stripe.world.api(history.list, { limit: 100, status_read: 'unread' }, as())).body.results.map(
    ({ name }) => name,
  )
const pass = async (ms: number) => {
  await stripe.pass(ms)
  operator = await stripe.world.signIn(operator)
}

async function openInvoice(amount: number): Promise<number> {
  const { payment_id } = (await stripe.create(amount, { pay_system_id: 1 })).body
  await stripe.open(payment_id).catch(() => undefined)
  return payment_id
}
const markPaid = (payment_id: number, amount: number) =>
  stripe.world.api(payments.markPaid, { payment_id, amount, reason }, as())

test('counts revenue of this month and last as the list of received money does', async () => {
  const { world } = stripe
  await markPaid(await openInvoice(2_000), 2_000)
  const paid = await openInvoice(3_000)
  await markPaid(paid, 3_000)
  await pass(40 * dayMs)
  await markPaid(await openInvoice(700), 700)
  await world.api(payments.refund, { payment_id: paid, amount: 1_000, reason }, as())
  await stripe.checked()
  const { revenue, months } = await get()
  expect(revenue).toEqual({
    last: [{ currency: 'usd', amount: 5_000 }],
    current: [{ currency: 'usd', amount: -300 }],
  })
  for (const [name, date_from, date_to] of [
    ['last', months.last, months.current],
    ['current', months.current, months.next],
  ] as const) {
    const list = (await world.api(ledger.list, { view: 'received', date_from, date_to }, as())).body
    expect(list.sums, name).toEqual(revenue[name])
    expect(list.results.reduce((sum, { amount }) => sum + amount, 0)).toBe(revenue[name][0]?.amount)
    expect(list.total).toBe(2)
  }
})

test('counts recurring revenue, new and ended plans as the list of plans does', async () => {
  const { world, ann } = stripe
  await setBalance(world, ann.projectId, { payment: 20_000 })
  const buy = { project_id: ann.projectId, plan_restream_id: 2, period: 'year' } as const
  expect((await world.api(restream.buy, buy, { as: ann })).status).toBe(200)
  const row = { project_id: ann.projectId, line: 'restream', date_create: world.clock.now().toISOString() } as const
  await world.app.db
    .insertInto('plan_renewals')
    .values(row)
    .onConflict((one) => one.doNothing())
    .execute()
  const eve = await world.user('Eve')
  const gift = { target_project_id: eve.projectId, line: 'restream', plan_id: 2, period: 'month', reason } as const
  expect((await world.api(customers.gift, gift, as())).status).toBe(200)

  const list = async (view: SubscriptionView) => {
    const { months } = await get()
    const span = { date_from: months.current, date_to: months.next }
    return (await world.api(subscriptions.list, { view, ...span }, as())).body
  }
  const { recurring, plans } = await get()
  const listed = await list('recurring')
  expect(recurring).toEqual({ count: listed.total, sums: listed.monthly })
  expect(listed.results).toMatchObject([{ project_id: ann.projectId, period: 'year', renews: true }])
  expect(recurring.sums).toEqual([{ currency: 'usd', amount: Math.round((listed.results[0]?.amount ?? 0) / 12) }])
  expect(plans).toEqual({ new: 2, ended: 0 })
  expect((await list('new')).results.map(({ amount }) => amount > 0)).toEqual([false, true])

  await pass(32 * dayMs)
  expect((await get()).plans).toEqual({ new: 0, ended: 1 })
  expect((await list('ended')).results.map((one) => one.project_id)).toEqual([eve.projectId])
})

test('counts unpaid and overdue invoices, and what waits for a decision, as their lists do', async () => {
  const { world, ann } = stripe
  await openInvoice(1_000)
  await pass(15 * dayMs)
  await openInvoice(2_000)
  const wrong = await openInvoice(3_000)
  await markPaid(wrong, 2_999)
  const disputed = await openInvoice(4_000)
  await markPaid(disputed, 4_000)
  await world.api(payments.dispute, { payment_id: disputed, amount: 500, reason }, as())
  await setBalance(world, ann.projectId, { profit: 5_000 })
  const way = await newWay(world.app.db)
  const payout = { project_id: ann.projectId, payout_system_account_id: way, amount: 2_000, wallet_value: 'IBAN 1' }
  expect((await world.api(ofProject.create, payout, { as: stripe.ann })).status).toBe(200)

  const { unpaid, overdue } = await get()
  expect([unpaid, overdue]).toEqual([
    { count: 2, sums: [{ currency: 'usd', amount: 3_000 }] },
    { count: 1, sums: [{ currency: 'usd', amount: 1_000 }] },
  ])
  const inbox = await counts()
  expect(inbox).toEqual({ transfer: 2, payout: 1, review: 1, dispute: 1 })
  for (const status of ['transfer', 'review', 'dispute'] as const)
    expect((await world.api(payments.list, { status }, as())).body.total, status).toBe(inbox[status])
  expect((await world.api(payments.list, { status: 'overdue' }, as())).body.total).toBe(overdue.count)
  expect((await world.api(payouts.list, { status: 'waiting' }, as())).body.total).toBe(inbox['payout'])

  const names = await notices()
  expect(names.filter((name) => name.startsWith('operator_')).toSorted()).toEqual([
    'operator_dispute',
    'operator_payout',
    'operator_review',
    'operator_transfer',
    'operator_transfer',
    'operator_transfer',
    'operator_transfer',
  ])
  expect((await notices(stripe.ann)).filter((name) => name.startsWith('operator_'))).toEqual([])
})

test('a decision marks its case as read for all operators, and ends its messages', async () => {
  const { world, ann } = stripe
  const other = await newOperator(world)
  /** Returns the open cases of the other operator. */
  const open = async () => {
    const { results } = (await world.api(history.list, { limit: 100, status_read: 'unread' }, { as: other })).body
    return results.map(({ name }) => name)
  }
  const paid = await openInvoice(1_000)
  const wrong = await openInvoice(3_000)
  expect(await open()).toEqual(['operator_transfer', 'operator_transfer'])
  await markPaid(paid, 1_000)
  await markPaid(wrong, 2_999)
  expect(await open()).toEqual(['operator_review'])
  await world.api(payments.resolve, { payment_id: wrong, book: false, reason }, as())
  expect(await open()).toEqual([])

  await world.api(payments.dispute, { payment_id: paid, amount: 500, reason }, as())
  await setBalance(world, ann.projectId, { profit: 5_000 })
  const way = await newWay(world.app.db)
  const payout = { project_id: ann.projectId, payout_system_account_id: way, amount: 2_000, wallet_value: 'IBAN 1' }
  await world.app.db.updateTable('projects').set({ date_suspend: '2026-01-01T00:00:00.000Z' }).execute()
  const refused = await world.api(ofProject.create, payout, { as: ann })
  expect(refused).toMatchObject({ status: 403, error: { name: 'ProjectSuspended' } })
  await world.app.db.updateTable('projects').set({ date_suspend: null }).execute()
  await world.api(ofProject.create, payout, { as: ann })
  expect(await open()).toEqual(['operator_payout', 'operator_dispute'])
  await world.api(payments.endDispute, { payment_id: paid, won: true, reason }, as())
  const [row] = (await world.api(payouts.list, { status: 'waiting' }, as())).body.results
  await world.api(payouts.refuse, { payout_id: row?.payout_id ?? 0, reason }, as())
  expect(await open()).toEqual([])

  const { results } = (await world.api(history.list, { limit: 1 }, { as: other })).body
  const title = results[0]?.text.find((one) => one.language_iso === 'en')?.title
  expect(title).toBe('Done: Payout of 20.00 USD requested')
  const waiting = world.app.db
    .selectFrom('notification_deliveries')
    .innerJoin('notifications', (join) =>
      join.onRef('notifications.id', '=', 'notification_id').on('notifications.user_id', 'in', [other.id, operator.id]),
    )
  expect(await waiting.select('state').where('state', '=', 'waiting').execute()).toEqual([])
})

test('notifies of a job in the transaction that parks it, and again when it is parked again', async () => {
  const { world } = stripe
  const failing: JobKind = {
    kind: 'test.failing',
    leaseMs: 60_000,
    atOnce: 1,
    backoff: { firstMs: 0, mostMs: 0 },
    parkAfter: 1,
    run: () => Promise.reject(new Error('The disk is full')),
  }
  const kinds = [failing, parkedJob]
  await transaction(world.app.db, (trx) => scheduleJob(trx, failing, 7))
  await runJobs(world.services, kinds)
  expect(await counts()).toEqual({ job: 1 })
  expect((await world.api(health.get, {}, as())).body.jobs.filter(({ parked }) => parked)).toHaveLength(1)
  expect(await notices()).toEqual(['operator_job'])
  world.clock.advance(1_000)
  await world.api(health.runJob, { kind: failing.kind, key: '7', reason }, as())
  expect(await unread()).toEqual([])
  await runJobs(world.services, kinds)
  expect(await notices()).toEqual(['operator_job', 'operator_job'])
  expect(await unread()).toEqual(['operator_job'])
})

test('notifies once of a backup that is two days old, and of none that was never reported', async () => {
  const { world } = stripe
  const run = () => backupJob.run(world.services, {} as never)
  await run()
  expect([await counts(), (await get()).date_backup]).toEqual([{}, null])
  await updateInstallation(world.app.db, { date_backup: world.clock.now().toISOString() })
  await run()
  expect(await counts()).toEqual({})
  await pass(2 * dayMs + 1)
  await run()
  await run()
  expect([await counts(), await unread()]).toEqual([{ backup: 1 }, ['operator_backup']])
  await updateInstallation(world.app.db, { date_backup: world.clock.now().toISOString() })
  await run()
  expect([await notices(), await unread()]).toEqual([['operator_backup'], []])
})

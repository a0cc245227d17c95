// The page of one project for operators, notes, and suspension.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { channels } from '#contract/areas/channels/channels.ts'
import { invites } from '#contract/areas/channels/invites.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { methods } from '#contract/areas/billing/methods.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { customers } from '#contract/areas/operator/customers.ts'
import { payments } from '#contract/areas/operator/payments.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { admitEncoder } from '#server/domain/broadcasts/broadcasts.ts'
import { readDesired } from '#server/domain/broadcasts/desired.ts'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'
import { newChannel } from '#server/testing/channels.ts'
import { goOnAir } from '#server/testing/nodes.ts'
import { onAirOf } from '#server/testing/on-air.ts'
import { setBalance } from '#server/testing/billing.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { newOperator, type Person } from '#server/testing/test-app.ts'

const reason = 'Spam'
let stripe: StripeWorld
let operator: Person
beforeEach(async () => {
  stripe = await StripeWorld.start({ INVOICE_DETAILS: 'IBAN' })
  operator = await newOperator(stripe.world)
})
afterEach(() => stripe.close())

const api: StripeWorld['world']['api'] = (...args) => stripe.world.api(...args)
const as = () => ({ as: operator })
const page = async () => (await api(customers.get, { target_project_id: stripe.ann.projectId }, as())).body
const suspend = (suspended: boolean, target_project_id = stripe.ann.projectId, by = operator) =>
  api(customers.suspend, { target_project_id, suspended, reason }, { as: by })

test('shows members, plans before, now and next, papers and notes of a project', async () => {
  const { world, ann } = stripe
  const eve = await world.user('Eve')
  await world.join(eve, ann.projectId, 1)
  await setBalance(world, ann.projectId, { payment: 20_000 })
  const buy = { project_id: ann.projectId, plan_restream_id: 2, period: 'month' } as const
  expect((await api(restream.buy, buy, { as: ann })).status).toBe(200)
  const { payment_id } = (await stripe.create(2_000, { pay_system_id: 1 })).body
  await stripe.open(payment_id).catch(() => undefined)
  await api(payments.markPaid, { payment_id, amount: 2_000, reason }, as())
  await api(customers.note, { target_project_id: ann.projectId, text: 'Called on Monday' }, as())
  const shown = await page()
  expect(shown).toMatchObject({ project_id: ann.projectId, plan: 'Start', suspended: null })
  expect(shown.members).toMatchObject([
    { user_id: ann.id, access_type: 2 },
    { user_id: eve.id, name: 'Eve', access_type: 1 },
  ])
  expect(shown.plans.filter(({ line }) => line === 'restream')).toMatchObject([
    { slot: 'before', title: 'Free' },
    { slot: 'current', title: 'Start' },
  ])
  expect(shown.papers.some((paper) => paper.payment_id === payment_id)).toBe(true)
  expect(shown.notes).toMatchObject([{ user: 'Operator', text: 'Called on Monday' }])
  const missing = await api(customers.get, { target_project_id: 2_000_000_000 }, as())
  expect(missing).toMatchObject({ status: 404, error: { name: 'ProjectNotFound' } })

  const found = async (query: string) =>
    (await api(payments.list, { query }, as())).body.results.map((one) => one.payment_id)
  const number = shown.papers.find((paper) => paper.payment_id === payment_id)?.number ?? ''
  for (const query of [String(payment_id), number, number.toLowerCase(), '20', '20,00', ann.email])
    expect(await found(query), query).toContain(payment_id)
  for (const query of ['R-2026-999999999', 'R-2026-99999999999', '99999999999', "'; drop table payments; --", '21'])
    expect(await found(query), query).toEqual([])
  const later = { date_from: '2026-03-02T00:00:00.000Z' }
  expect((await api(payments.list, later, as())).body.total).toBe(0)
  expect((await api(payments.list, { date_to: later.date_from }, as())).body.total).toBe(1)
})

test('a suspended project broadcasts nothing, members only read and pay, and all of it ends', async () => {
  const { world, ann } = stripe
  const rename = () => api(projects.update, { project_id: ann.projectId, name: 'Studio' }, { as: ann })
  const knock = async () => {
    const { key } = await readStreamKey(world.services, ann.projectId)
    return admitEncoder(world.services, { key, address: '192.0.2.1', node: 'first' })
  }
  expect((await suspend(true)).status).toBe(200)
  expect((await suspend(true)).error?.name).toBe('AlreadySuspended')
  expect(await rename()).toMatchObject({ status: 403, error: { name: 'ProjectSuspended' } })
  expect(await knock()).toMatchObject({ refuse: expect.stringContaining('suspended') })
  expect((await api(history.list, {}, { as: ann })).body.results[0]?.name).toBe('project_suspended')
  const info = (await api(projects.info, { project_id: ann.projectId }, { as: ann })).body
  expect(info.suspended).toEqual({ date: world.clock.now().toISOString(), reason })
  expect((await stripe.create(2_000, { pay_system_id: 1 })).status).toBeLessThan(300)
  expect((await api(methods.list, { project_id: ann.projectId }, { as: ann })).status).toBe(200)
  const stranger = await world.user('Eve')
  expect((await api(projects.update, { project_id: ann.projectId, name: 'X' }, { as: stranger })).error?.name).toBe(
    'Forbidden',
  )

  expect((await suspend(false)).status).toBe(200)
  expect((await suspend(false)).error?.name).toBe('NotSuspended')
  expect((await rename()).status).toBe(201)
  expect(await knock()).toMatchObject({ projectId: ann.projectId })
  const log = (await api(customers.log, { target_project_id: ann.projectId }, as())).body.results
  expect(log.map(({ action }) => action)).toEqual(['project_resumed', 'project_suspended'])
})

test('a suspended project changes nothing by operations that find the project themselves', async () => {
  const { world, ann } = stripe
  const { projectId: project_id } = ann
  await goOnAir(world.services, project_id)
  const { broadcast_id } = await onAirOf(world, ann)
  const channel_id = await newChannel(world, ann)
  const link = { project_id, channel_id, access_type: 1 } as const
  const { project_channel_invite_id: id } = (await api(invites.addLink, link, { as: ann })).body
  await suspend(true)
  const member = { as: ann }
  const refused = [
    await api(chat.send, { broadcast_id, id: 'one', text: 'Hello' }, member),
    await api(chat.test, { project_id }, member),
    await api(channels.setStatus, { channel_id, status: false }, member),
    await api(invites.del, { id }, member),
  ]
  expect(refused.map(({ error }) => error?.name)).toEqual(refused.map(() => 'ProjectSuspended'))
  // Members still read.
  expect((await api(chat.messages, { broadcast_id }, member)).status).toBe(200)
  expect((await api(invites.get, { id }, member)).status).toBe(200)
})

test('a node that was away during a suspension is sent the stop', async () => {
  const { world, ann } = stripe
  await goOnAir(world.services, ann.projectId)
  expect((await readDesired(world.services, ann.projectId)).isStopped).toBe(false)
  await suspend(true)
  expect((await readDesired(world.services, ann.projectId)).isStopped).toBe(true)
})

test('a broadcast that comes back after a suspension is stopped', async () => {
  const { world, ann } = stripe
  await suspend(true)
  // A node whose connection was cut reports its broadcast, or an encoder was admitted a moment before.
  await goOnAir(world.services, ann.projectId)
  expect((await readDesired(world.services, ann.projectId)).isStopped).toBe(true)
})

test('an operator cannot suspend an own project, and nothing changes', async () => {
  const refused = await suspend(true, operator.projectId)
  expect(refused).toMatchObject({ status: 400, error: { name: 'OwnProject' } })
  const info = (await api(projects.info, { project_id: operator.projectId }, as())).body
  expect(info.suspended).toBeNull()
})

test('moves a project to another plan with the consequence that the operator saw, and logs it', async () => {
  const { world, ann } = stripe
  const { projectId: target_project_id } = ann
  await setBalance(world, target_project_id, { bonus: 0, payment: 5_000 })
  const wanted = (plan_id: number) => ({ target_project_id, line: 'restream', plan_id, period: 'month' }) as const
  const seen = async (plan_id: number) => (await api(customers.planChange, wanted(plan_id), as())).body
  const move = (plan_id: number, quote_total: number, more: object = {}) =>
    api(customers.changePlan, { ...wanted(plan_id), quote_total, reason, ...more }, as())
  const slots = async () => (await api(restream.slots, { project_id: target_project_id }, { as: ann })).body

  expect(await seen(3)).toMatchObject({ action: 'new', price: 1_190, refund: 0, balance: 5_000, balance_after: 3_810 })
  const key = { idempotency_key: 'one-change' }
  expect((await move(3, 1_190, key)).body).toEqual({ success: true })
  expect((await move(3, 1_190, key)).body).toEqual({ success: true })
  expect((await slots()).current?.id).toBe(3)

  const up = await seen(4)
  expect(up).toMatchObject({ action: 'upgrade', price: 2_990, refund: 1_190, balance: 3_810, balance_after: 2_010 })
  // The consequence is another one now: nothing happens.
  expect(await move(4, 1_799)).toMatchObject({ status: 400, error: { name: 'QuoteChanged' } })
  expect((await slots()).current?.id).toBe(3)
  expect((await move(4, up.price - up.refund)).body).toEqual({ success: true })

  const down = await seen(2)
  expect(down).toMatchObject({ action: 'downgrade', date_start: (await slots()).current?.date_end })
  expect((await move(2, down.price - down.refund)).body).toEqual({ success: true })
  expect(await slots()).toMatchObject({ current: { id: 4 }, next: { id: 2 } })

  await setBalance(world, target_project_id, { payment: 0 })
  expect((await seen(5)).balance_after).toBeLessThan(0)
  expect((await move(5, (await seen(5)).price)).status).toBe(400)
  expect((await api(customers.changePlan, { ...wanted(3), quote_total: 1, reason: '' }, as())).status).toBe(400)
  const log = (await api(customers.log, { target_project_id }, as())).body.results
  expect(log.map(({ action }) => action)).toEqual(['plan_change', 'plan_change', 'plan_change'])
  expect(JSON.parse(log[1]?.before ?? '')).toEqual({ line: 'restream', plan: 'Pro' })
  expect(JSON.parse(log[1]?.after ?? '')).toMatchObject({ plan: 'Business', total: 1_800 })
  expect(log[1]?.reason).toBe(reason)
  const missing = await api(customers.planChange, { ...wanted(3), target_project_id: 2_000_000_000 }, as())
  expect(missing).toMatchObject({ status: 404, error: { name: 'ProjectNotFound' } })
})

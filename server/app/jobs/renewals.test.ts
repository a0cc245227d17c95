// Renewals and papers with a payment provider: the service, its database and the double of YooKassa.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '#server/db/transaction.ts'
import { beginPayment } from '#server/domain/billing/payments/begin.ts'
import { checkPayment } from '#server/domain/billing/payments/checks.ts'
import { paperOf } from '#server/domain/billing/papers/papers.ts'
import { listPapers } from '#server/domain/billing/papers/store.ts'
import { createPayment } from '#server/domain/billing/payments/payments.ts'
import { updatePaperSettings } from '#server/domain/billing/profile-store.ts'
import { setRenewal, buy } from '#server/domain/tariffs/subscriptions-change.ts'
import { readState } from '#server/domain/tariffs/subscriptions.ts'
import { setBalance } from '#server/testing/billing.ts'
import { yookassaDouble, type YookassaDouble, yookassaShop } from '#server/testing/pay/yookassa-double.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { renewOnce } from '#server/testing/pay/renewal-jobs.ts'
import { runClosingReceipts } from '#server/testing/pay/pay-jobs.ts'

let double: YookassaDouble
let world: World
beforeAll(async () => {
  double = await yookassaDouble()
  const bases = `yookassa=${double.base}`
  world = await testApp({ ...yookassaShop, PROVIDER_BASES: bases, PUBLIC_URL: 'https://live.example.com' })
})
afterAll(() => Promise.all([world.close(), double.close()]))

/** Price of a month of plan 2, kopecks. */
const price = 39_000

/** A project in roubles with a saved card and a plan that is renewed automatically. */
async function withCard(amount = price) {
  const { services, app } = world
  const { projectId, id: userId } = await world.user('Ann')
  await app.db.updateTable('projects').set({ currency: 'rub' }).where('id', '=', projectId).execute()
  await setBalance(world, projectId, {})
  const payment = await createPayment(services, { projectId, userId, type: 'topup', amount, save: true })
  await beginPayment(services, payment)
  const [payId = ''] = [...double.payments.keys()].slice(-1)
  double.pay(payId)
  await checkPayment(services, payment.id)
  await buy(app.db, world.clock, { projectId, line: 'restream', planId: 2, period: 'month' })
  await transaction(app.db, (trx) => setRenewal(trx, world.clock, { projectId, line: 'restream', isOn: true }))
  return { projectId, payment, payId }
}

const endOf = async (projectId: number) =>
  (await readState(world.app.db, world.clock, projectId, 'restream')).slots.current.end ?? ''

const paymentsOf = (projectId: number) =>
  world.app.db.selectFrom('payments').selectAll().where('project_id', '=', projectId).orderBy('id').execute()

const papersOf = async (projectId: number, paymentId: number) =>
  (await listPapers(world.app.db, projectId, paymentId)).map(paperOf)

test('charges the saved card three days before the end, and gives each payment a receipt', async () => {
  const { projectId, payment } = await withCard()
  const end = await endOf(projectId)
  world.clock.set(new Date(Date.parse(end) - 72 * 3_600_000))
  await renewOnce(world.services)
  await renewOnce(world.services)
  expect((await endOf(projectId)) > end).toBe(true)
  const [, renewal, more] = await paymentsOf(projectId)
  expect(more).toBeUndefined()
  expect(renewal).toMatchObject({ type: 'restream', amount_minor: price, status: 'success', user_id: null })
  expect(await papersOf(projectId, payment.id)).toMatchObject([{ kind: 'receipt', totalMinor: price }])
  expect(await papersOf(projectId, renewal?.id ?? 0)).toMatchObject([
    { kind: 'receipt', items: [{ what: 'restream' }], provider: 'yookassa' },
  ])
})

test('a renewal from a top-up requests a closing receipt, as the first purchase did', async () => {
  const { app, services } = world
  const codes = { seller_name: '', seller_address: '', seller_tax_id: '' }
  await updatePaperSettings(app.db, { ...codes, tax_system: 2, vat_code: 1 })
  const { projectId, payment, payId } = await withCard(2 * price)
  world.clock.set(new Date(Date.parse(await endOf(projectId)) - 72 * 3_600_000))
  await renewOnce(services)
  await runClosingReceipts(services)
  await updatePaperSettings(app.db, { ...codes, tax_system: null, vat_code: null })
  expect(await paymentsOf(projectId)).toHaveLength(1)
  expect([...double.receipts.values()]).toMatchObject(
    Array.from({ length: 2 }, () => ({ payment_id: payId, settlements: [{ amount: { value: '390.00' } }] })),
  )
  expect(payment.amount_minor).toBe(2 * price)
})

test('a decline keeps the plan until its end, and leaves the reason', async () => {
  const { projectId, payId } = await withCard()
  double.declines.set(payId, 'insufficient_funds')
  const end = await endOf(projectId)
  for (const hours of [72, 48, 24, 6, 0.25, -1]) {
    world.clock.set(new Date(Date.parse(end) - hours * 3_600_000))
    await renewOnce(world.services)
  }
  const rows = await paymentsOf(projectId)
  expect(rows.map(({ status, reason }) => [status, reason])).toEqual([
    ['success', null],
    ...Array.from({ length: 5 }, () => ['error', 'insufficient_funds']),
  ])
  const renewal = await world.app.db
    .selectFrom('renewals')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  expect(renewal).toMatchObject({ state: 'stopped', reason: 'insufficient_funds', tries: 5 })
  expect(await endOf(projectId)).toBe('')
})

test('a refund at the provider has a credit note that names the receipt, once', async () => {
  const { projectId, payment, payId } = await withCard()
  double.refundByShop(payId, '10.00')
  await checkPayment(world.services, payment.id)
  await checkPayment(world.services, payment.id)
  const [receipt, note, ...others] = await papersOf(projectId, payment.id)
  expect(note).toMatchObject({ kind: 'credit_note', totalMinor: 1000, corrects: receipt?.number })
  expect(others).toEqual([])
})

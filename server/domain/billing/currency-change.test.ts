// Payments, refunds and the ledger after a change of currency. The double of Stripe takes dollars, that of YooKassa roubles.
import { afterEach, expect, test } from 'vitest'
import { paySettings } from '#contract/areas/billing/pay-settings.ts'
import { payments } from '#contract/areas/operator/payments.ts'
import { russia } from '#contract/entities/countries.ts'
import type { Currency } from '#contract/entities/project.ts'
import { getLedgerCheck } from '#server/domain/operator/ledger-check-store.ts'
import { transaction } from '#server/db/transaction.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import { book, getBalance, lockWallet } from '#server/domain/money/ledger.ts'
import { setRate, someAddressOfUs } from '#server/testing/billing.ts'
import { killIn, type PayWorld } from '#server/testing/pay/pay-world.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { YookassaWorld } from '#server/testing/pay/yookassa-world.ts'
import { makeOperator } from '#server/testing/test-app.ts'
import { withoutJobs } from '#server/testing/without-jobs.ts'
import { findPayment, insertRefund, updateRefund } from './payments/store.ts'
import { runRefunds } from '#server/testing/pay/pay-jobs.ts'

const kopecksPerDollar = 9_000
const unitedStates = 840
/** Longer than a lease of a refund, ms. */
const leaseMs = 61_000

let pay: StripeWorld | YookassaWorld
afterEach(async () => {
  await pay.end()
})

/** Starts a service with a project and an exchange rate. */
async function start(Kind: typeof StripeWorld | typeof YookassaWorld): Promise<void> {
  withoutJobs()
  pay = await Kind.start()
  await makeOperator(pay.world, pay.ann)
  await setRate(pay.world.app.db, kopecksPerDollar)
}

const moveTo = ({ world, ann }: PayWorld, countrie_id: number) =>
  world.api(
    paySettings.set,
    { project_id: ann.projectId, email: 'ann@example.com', pay_system_id: 0, countrie_id, ...someAddressOfUs },
    { as: ann },
  )
const refund = (payment_id: number, amount: number) =>
  pay.world.api(payments.refund, { payment_id, amount, reason: 'Asked by e-mail' }, { as: pay.ann })
const paid = async () => (await getBalance(pay.world.app.db, pay.ann.projectId)).payment

/** Checks the ledger beside the bonus, which the world in roubles takes past it. */
async function check(): Promise<string[]> {
  const { unbalanced, differing } = await getLedgerCheck(pay.world.app.db)
  expect(unbalanced).toEqual([])
  const found = differing.filter(({ account }) => account !== 'bonus')
  return found.map(({ account, currency, minor }) => `${account} ${currency} ${minor}`)
}

/** Sets the currency past the service, as releases did that let a project with an open refund change it. */
const forceCurrency = (currency: Currency) =>
  pay.world.app.db.updateTable('projects').set({ currency }).where('id', '=', pay.ann.projectId).execute()

test('refuses the refund of a payment in dollars from a balance in roubles', async () => {
  await start(StripeWorld)
  const { payment_id } = await (pay as StripeWorld).topUp(10_000)
  expect((await moveTo(pay, russia)).status).toBe(200)
  const { error } = await refund(payment_id, 10_000)
  expect(error).toMatchObject({ name: 'CurrencyDiffers', data: { currency: 'usd', balance_currency: 'rub' } })
  expect((pay as StripeWorld).double.state.refunds.size).toBe(0)
  expect(await paid()).toBe(900_000)
  expect(await check()).toEqual([])
})

test('refuses the refund of a payment in roubles from a balance in dollars', async () => {
  await start(YookassaWorld)
  const { payment_id } = await pay.topUp(1_000_000)
  expect((await moveTo(pay, unitedStates)).status).toBe(200)
  expect((await refund(payment_id, 10_000)).error?.name).toBe('CurrencyDiffers')
  expect((pay as YookassaWorld).double.refunds.size).toBe(0)
  expect(await paid()).toBe(11_111)
  expect(await check()).toEqual([])
})

test('refunds again after the project has returned to the currency of the payment', async () => {
  await start(StripeWorld)
  const { payment_id } = await pay.topUp(10_000)
  await moveTo(pay, russia)
  await moveTo(pay, unitedStates)
  expect((await refund(payment_id, 10_000)).status).toBe(200)
  expect([await paid(), await check()]).toEqual([0, []])
})

/** Requests a refund whose answer never arrives. @returns its payment */
async function unansweredRefund(amount: number): Promise<number> {
  const { payment_id } = await pay.topUp(amount)
  const victim = await pay.world.replica()
  const input = { payment_id, amount, reason: 'Asked by e-mail' }
  await killIn(pay.double, { call: 'POST refunds', effect: false }, () =>
    pay.world.api(payments.refund, input, { as: pay.ann, through: victim }),
  )
  await pay.pass(leaseMs)
  return payment_id
}

test('refuses another currency while a refund is open, and returns the refund in its own', async () => {
  await start(YookassaWorld)
  await unansweredRefund(1_000_000)
  const { error } = await moveTo(pay, unitedStates)
  expect(error).toMatchObject({ name: 'CurrencyInUse', data: { reasons: ['payments'] } })
  ;(pay as YookassaWorld).double.failures.push('refused')
  await runRefunds(pay.world.services)
  expect(await paid()).toBe(1_000_000)
  expect((await moveTo(pay, unitedStates)).status).toBe(200)
  expect([await paid(), await check()]).toEqual([11_111, []])
})

test('leaves a refused refund in another currency than the balance to the operator', async () => {
  await start(StripeWorld)
  const payment_id = await unansweredRefund(10_000)
  await forceCurrency('rub')
  ;(pay as StripeWorld).double.faults.push('refused')
  await runRefunds(pay.world.services)
  expect(await paid()).toBe(0)
  const [row] = (await pay.world.api(payments.list, { status: 'review' }, { as: pay.ann })).body.results
  expect(row).toMatchObject({
    payment_id,
    review_case: { reason: 'reinstated', amount: 10_000, currency: 'usd' },
  })
  await pay.pass(leaseMs)
  expect(await runRefunds(pay.world.services)).toBe(0)
  expect(await check()).toEqual([])
})

/** Books a movement of a payment in the currency of the balance, as earlier releases did. */
const bookUnchecked = (payment_id: number, type: 'payment' | 'payment_cancel', amount: number) =>
  transaction(pay.world.app.db, async (trx) => {
    const wallet = await lockWallet(trx, pay.ann.projectId)
    const payment = await findPayment(trx, payment_id)
    const date_create = pay.world.clock.now().toISOString()
    await book(trx, date_create, wallet, {
      type,
      currency: wallet.currency,
      provider: payment?.provider,
      change: { ...emptyBalance, payment: amount },
      links: { payment_id },
    })
    const levels = { taken_minor: Math.max(0, 0 - amount), returned_minor: Math.max(0, amount) }
    const common = { uuid: `${type} ${payment_id}`, payment_id, requested_minor: Math.abs(amount), date_create }
    const { id } = await insertRefund(trx, { ...common, state: 'booked' })
    await updateRefund(trx, id, levels)
  })

test('the check of the ledger finds a refund that was booked in another currency', async () => {
  await start(StripeWorld)
  const { payment_id } = await pay.topUp(10_000)
  await moveTo(pay, russia)
  await bookUnchecked(payment_id, 'payment_cancel', -10_000)
  expect(await check()).toEqual(['clearing.stripe rub 10000', 'clearing.stripe usd -10000'])
})

test('the check of the ledger finds a refund that came back in another currency', async () => {
  await start(StripeWorld)
  const { payment_id } = await pay.topUp(10_000)
  await refund(payment_id, 10_000)
  await forceCurrency('rub')
  await bookUnchecked(payment_id, 'payment', 10_000)
  expect(await check()).toEqual(['clearing.stripe rub -10000', 'clearing.stripe usd 10000'])
})

test('the check of the ledger finds a balance in another currency than the project', async () => {
  await start(StripeWorld)
  await pay.topUp(10_000)
  await forceCurrency('rub')
  expect(await check()).toEqual(['payment rub -10000', 'payment usd 10000'])
})

// Commands of the model of billing about the currency: the project changes its country, with and without an open refund.
import fc from 'fast-check'
import { paySettings } from '#contract/areas/billing/pay-settings.ts'
import { payments as operator } from '#contract/areas/operator/payments.ts'
import { russia } from '#contract/entities/countries.ts'
import { balanceTypes } from '#server/domain/money/balance.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { getCurrency, getDebt } from '#server/domain/money/store.ts'
import { setRate, someAddressOfUs } from '#server/testing/billing.ts'
import { eventually } from '#server/testing/eventually.ts'
import { leftOf, type Real } from './model.ts'
import { type Command, command } from './model-commands.ts'
import type { Model } from './model-state.ts'
import { listOpenRefunds } from './model-store.ts'
import { runRefunds } from './pay-jobs.ts'

const countries = { usd: 840, rub: russia } as const

/** Moves the project, and checks its balance. @param kopecksPerDollar rate of the operator; null: none */
async function moveTo(
  to: keyof typeof countries,
  kopecksPerDollar: number | null,
  model: Model,
  real: Real,
): Promise<void> {
  const { db, projectId, project } = real
  const { world, ann } = real.stripe
  await setRate(db, kopecksPerDollar)
  const isSettled = await real.isSettled(model)
  const [from, before] = [await getCurrency(db, projectId), await getBalance(db, projectId)]
  const details = { email: 'ann@example.com', pay_system_id: 0, countrie_id: countries[to], ...someAddressOfUs }
  const { status, error } = await world.api(paySettings.set, { ...project, ...details }, { as: ann })
  const [currency, after] = [await getCurrency(db, projectId), await getBalance(db, projectId)]
  const isChanged = status === 200 && from !== to
  real.hasMoved ||= isChanged
  if (status !== 200 && error?.name !== 'CurrencyInUse') throw new Error(`A change of country answers ${error?.name}`)
  if (currency !== (status === 200 ? to : from)) throw new Error(`I1: the currency is ${currency} after ${status}`)
  if (isChanged && (await getDebt(db, projectId)) > 0) throw new Error('I1: a debt changed its currency')
  // Without a rate there is no money to exchange.
  const rate = to === 'rub' ? (kopecksPerDollar ?? 0) / 100 : 100 / (kopecksPerDollar ?? Infinity)
  const expected = (type: (typeof balanceTypes)[number]) => (isChanged ? Math.floor(before[type] * rate) : before[type])
  if (isSettled && balanceTypes.some((type) => after[type] !== expected(type)))
    throw new Error(`I1: ${JSON.stringify(before)} ${from} became ${JSON.stringify(after)} ${to}`)
}

const move = (to: keyof typeof countries, kopecksPerDollar: number | null) =>
  command(`cancel pending payments, and change to ${to} at ${kopecksPerDollar}`, async (model, real) => {
    await real.cancelPending()
    await moveTo(to, kopecksPerDollar, model, real)
  })

/** A top-up of which the service has seen the payment. */
const topUp = (amount: number) =>
  command(`top up ${amount}, paid`, async (model, real) => {
    const { status, body } = await real.stripe.create(amount)
    if (status !== 201) return
    const session = await real.stripe.open(body.payment_id)
    real.begun.push({ payment_id: body.payment_id, session })
    model.payments.push({ amount, paid: true, refunded: 0, returned: 0, withdrawn: 0, reinstated: 0 })
    real.stripe.double.act(session, 'pay')
    await real.deliverAll()
  })

/** A refund of the operator gets no answer, the project tries to move, and the repeated refund is refused. */
const refundRefusedLater = (at: number) =>
  command(`refund of payment ${at}, refused after an attempt to move`, async (model, real) => {
    const { db, projectId } = real
    const { world, double, ann } = real.stripe
    const place = at % Math.max(1, model.payments.length)
    const [payment, begun] = [model.payments[place], real.begun[place]]
    if (!payment || !begun) return
    await real.cancelPending()
    const amount = Math.min(leftOf(payment), (await getBalance(db, projectId)).payment)
    // The adapter repeats a call once.
    double.faults.push('error', 'error')
    const input = { payment_id: begun.payment_id, amount: Math.max(1, amount), reason: 'Asked by e-mail' }
    const { status, error } = await world.api(operator.refund, input, { as: ann })
    double.faults.length = 0
    // A call of a job may have taken the faults.
    const isRefused = error?.name === 'ProviderRefused'
    if (status === 200 || isRefused) payment.refunded += input.amount
    if (isRefused) payment.returned += input.amount
    await moveTo('rub', 10_000, model, real)
    const open = await listOpenRefunds(db, projectId)
    double.refuse = 'POST refunds'
    await real.stripe.pass(leaseMs)
    await eventually(async () => {
      await runRefunds(world.services)
      return (await listOpenRefunds(db, projectId)).length === 0
    })
    double.refuse = null
    for (const { payment_id, requested_minor } of open) {
      const refunded = model.payments[real.begun.findIndex((one) => one.payment_id === payment_id)]
      if (refunded) refunded.returned += requested_minor
    }
  })

/** Longer than a lease of a refund, ms. */
const leaseMs = 61_000

/** Arbitraries of the commands. */
export const currencyCommands: readonly fc.Arbitrary<Command>[] = [
  fc
    .tuple(fc.constantFrom('usd', 'rub', 'rub'), fc.constantFrom(10_000, 10_000, 8_000, null))
    .map(([to, rate]) => move(to, rate)),
  fc.constantFrom(900, 20_000).map(topUp),
  fc.nat({ max: 4 }).map(refundRefusedLater),
]

// Commands of the model of billing for plans: purchases, payments for plans, renewals, edited prices, and a restart of the service.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { plans } from '#contract/areas/operator/plans.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import { renewOnce } from './renewal-jobs.ts'
import { sumOf } from '#server/domain/money/balance.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { getCurrency } from '#server/domain/money/store.ts'
import type { Real } from './model.ts'
import type { StripeWorld } from './stripe-world.ts'
import { type Command, command } from './model-commands.ts'
import { payoutCommands } from './model-payouts.ts'
import { queuedPrice, renewalEnds } from './model-sales.ts'
import { runRefunds } from './pay-jobs.ts'

/** A plan to buy. `amount`: flows or GB. */
type Want =
  | { readonly line: 'restream'; readonly id: number }
  | { readonly line: 'transcoding' | 'storage'; readonly id: number; readonly amount: number }

const wants: readonly Want[] = [
  { line: 'restream', id: 2 },
  { line: 'restream', id: 4 },
  { line: 'transcoding', id: 2, amount: 1 },
  { line: 'transcoding', id: 4, amount: 3 },
  { line: 'storage', id: 1, amount: 10 },
  { line: 'storage', id: 1, amount: 1_000 },
]

const nameOf = ({ line, id, ...rest }: Want): string => `${line} ${id}${'amount' in rest ? ` × ${rest.amount}` : ''}`

interface Quote {
  readonly total: number
  /** Part of the total that the balance does not cover. */
  readonly missing: number
}

/** Returns the quote of a plan for a month; null: refused. */
async function quoteOf(real: Real, want: Want): Promise<Quote | null> {
  const { world, ann } = real.stripe
  const base = { project_id: real.projectId, period: 'month' } as const
  const { status, body } = await (want.line === 'restream'
    ? world.api(restream.check, { ...base, plan_restream_id: want.id, use_balance: 1 }, { as: ann })
    : want.line === 'transcoding'
      ? world.api(transcoding.check, { ...base, plan_transcoding_id: want.id, count: want.amount }, { as: ann })
      : world.api(storage.check, { ...base, plan_storage_id: want.id, size: want.amount }, { as: ann }))
  if (status !== 200) return null
  const { sum = 0 } = body
  const refunds =
    'refund' in body ? body.refund.current + body.refund.after : (body.refund_current ?? 0) + (body.refund_after ?? 0)
  const total = sum - refunds
  return { total, missing: total - sumOf(await getBalance(real.db, real.projectId)) }
}

function buyNow(real: Real, want: Want, guards: { readonly quote_total: number; readonly idempotency_key: string }) {
  const { world, ann } = real.stripe
  const base = { project_id: real.projectId, period: 'month', ...guards } as const
  if (want.line === 'restream') return world.api(restream.buy, { ...base, plan_restream_id: want.id }, { as: ann })
  if (want.line === 'transcoding')
    return world.api(transcoding.buy, { ...base, plan_transcoding_id: want.id, count: want.amount }, { as: ann })
  return world.api(storage.buy, { ...base, plan_storage_id: want.id, size: want.amount }, { as: ann })
}

/** Buys by quote, as often as given at the same time under one key: charged once, exactly the quote (I9). */
const buy = (want: Want, times: number) =>
  command(`buy ${nameOf(want)}, ${times} at once`, async (model, real) => {
    const quote = await quoteOf(real, want)
    if (!quote) return
    const isSettled = await real.isSettled(model)
    const before = sumOf(await getBalance(real.db, real.projectId))
    const guards = { quote_total: quote.total, idempotency_key: randomUUID() }
    const answers = await Promise.all(Array.from({ length: times }, () => buyNow(real, want, guards)))
    const charged = before - sumOf(await getBalance(real.db, real.projectId))
    const isBought = answers.some(({ status }) => status < 300)
    if (isBought) model.sales[await getCurrency(real.db, real.projectId)] += quote.total
    const isOther = isSettled && charged !== (isBought ? quote.total : 0)
    if (isOther) throw new Error(`I9: ${charged} charged, ${quote.total} quoted`)
    if (isBought && answers.some(({ status }) => status >= 300)) throw new Error('I9: a repeated call is refused')
  })

/** Buys by the quote of another moment: refused, or charged as quoted. */
const buyByOldQuote = (want: Want, difference: number) =>
  command(`buy ${nameOf(want)} with a quote off by ${difference}`, async (_model, real) => {
    const quote = await quoteOf(real, want)
    if (!quote) return
    const guards = { quote_total: quote.total + difference, idempotency_key: randomUUID() }
    const { status } = await buyNow(real, want, guards)
    if (status < 300) throw new Error('I9: bought at another total than quoted')
  })

/** Creates a payment for the missing part of a plan. @param isPaid whether the customer pays now, and the messages arrive */
const payFor = (want: Want, save: 0 | 1, isPaid: boolean) =>
  command(`pay ${isPaid ? '' : 'later '}for ${nameOf(want)}${save ? ', save the card' : ''}`, async (model, real) => {
    const quote = await quoteOf(real, want)
    if (!quote || quote.missing <= 0) return
    const plan = {
      restream: { plan_restream_id: want.id },
      transcoding: { plan_transcoding_id: want.id, plan_transcoding_count_flow: 'amount' in want ? want.amount : 0 },
      storage: { plan_storage_id: want.id, plan_storage_value: 'amount' in want ? want.amount : 0 },
    }[want.line]
    const amount = Math.max(quote.missing, 100)
    const { status, body } = await real.stripe.create(amount, { type: want.line, plan_period: 'month', save, ...plan })
    if (status !== 201) return
    const session = await real.stripe.open(body.payment_id)
    real.begun.push({ payment_id: body.payment_id, session })
    const levels = { refunded: 0, returned: 0, withdrawn: 0, reinstated: 0 }
    model.payments.push({ amount, paid: isPaid, ...levels })
    if (!isPaid) return
    real.stripe.double.act(session, 'pay')
    await real.deliverAll()
  })

const linesOf = { restream, transcoding, storage } as const
type Line = keyof typeof linesOf

const cancelNext = (line: Line) =>
  command(`cancel the queued plan of ${line}`, async (model, real) => {
    const { world, ann } = real.stripe
    const price = await queuedPrice(real.db, real.projectId, line, world.clock.now().toISOString())
    const slots = line === 'restream' ? (await world.api(restream.slots, real.project, { as: ann })).body : null
    const next = { plan_restream_id: slots?.next?.id ?? 1 }
    const { status } = await (line === 'restream'
      ? world.api(restream.cancelNext, { ...real.project, ...next }, { as: ann })
      : world.api(linesOf[line].cancelNext, real.project, { as: ann }))
    if (status < 300) model.sales[await getCurrency(real.db, real.projectId)] -= price ?? 0
    if (status < 300 !== (price !== null)) throw new Error(`I8: cancelling ${price} answers ${status}`)
  })

const switchRenewal = (line: Line, enabled: boolean) =>
  command(`renewal of ${line} ${enabled ? 'on' : 'off'}`, (_model, real) => {
    const { world, ann } = real.stripe
    return world.api(linesOf[line].prolongation, { ...real.project, enabled }, { as: ann })
  })

/** The jobs run, as often as given at the same time. */
const renew = (times: number, decline: string | null) =>
  command(`renew, ${times} at once${decline ? `, ${decline}` : ''}`, async (_model, real) => {
    const { double, world } = real.stripe
    double.decline = decline
    await Promise.all(Array.from({ length: times }, () => renewOnce(world.services)))
    double.decline = null
    await runRefunds(world.services)
    await real.runChecks()
  })

/** A line is renewed at its first try, if its plan was bought and is paid for. */
const renewSoon = (line: Line) =>
  command(`renew ${line} at its first try`, async (_model, { db, project, projectId, stripe }) => {
    await stripe.world.api(linesOf[line].prolongation, { ...project, enabled: true }, { as: stripe.ann })
    const now = stripe.world.clock.now()
    for (const end of await renewalEnds(db, projectId, now.toISOString(), line)) {
      const ms = Date.parse(end) - stripe.world.clock.now().getTime()
      // The notice comes more than a week before, the first try three days before.
      for (const hours of [240, 71]) if (ms > hours * 3_600_000) await passTo(stripe, end, hours)
    }
  })

async function passTo(stripe: StripeWorld, end: string, hours: number): Promise<void> {
  const ms = Date.parse(end) - stripe.world.clock.now().getTime() - hours * 3_600_000
  if (ms <= 0) return
  await stripe.pass(ms)
  await renewOnce(stripe.world.services)
}

/** Time passes until a number of hours before the first end of a plan with renewal. */
const passToRenewal = (hours: number) =>
  command(`pass to ${hours} hours before a renewal`, async (_model, { db, projectId, stripe }) => {
    const now = stripe.world.clock.now()
    const [end] = await renewalEnds(db, projectId, now.toISOString())
    const ms = end === undefined ? 0 : Date.parse(end) - now.getTime() - hours * 3_600_000
    if (ms > 0) await stripe.pass(ms)
  })

/** The operator edits prices. Terms and quotes of open payments keep theirs, or the purchase says why not. */
const editPrices = (cents: number) => command(`edit prices by ${cents}`, (_model, real) => setPrices(real, cents))

/** Sets the prices of two plans. @param cents above those of a new installation */
export async function setPrices(real: Real, cents: number): Promise<void> {
  const { world, ann } = real.stripe
  const { restream: bases, storage: sizes } = (await world.api(plans.list, {}, { as: ann })).body
  const reason = 'Model'
  for (const { id, index: _, projects: __, assigned: ___, ...row } of bases.filter((one) => one.id === 4))
    await world.api(plans.saveRestream, { ...row, plan_id: id, price_usd: 2_990 + cents, reason }, { as: ann })
  for (const { id, index: _, projects: __, assigned: ___, ...row } of sizes)
    await world.api(plans.saveStorage, { ...row, plan_id: id, price_usd: 6 + cents, reason }, { as: ann })
}

/** A new process state on the same database, which takes all calls from now on. */
const restart = command('restart', (_model, real) => real.stripe.restart())

/** The service dies in a call to the provider, and a new one continues. */
const dieAtBegin = (amount: number, effect: boolean) =>
  command(`die while a payment of ${amount} begins${effect ? ' after Stripe has it' : ''}`, async (model, real) => {
    const { stripe } = real
    const { status, body } = await stripe.create(amount)
    if (status !== 201) return
    await stripe.kill('POST checkout/sessions', effect, () => stripe.open(body.payment_id))
    await stripe.restart()
    await stripe.pass(61_000)
    const session = await stripe.open(body.payment_id)
    real.begun.push({ payment_id: body.payment_id, session })
    model.payments.push({ amount, paid: false, refunded: 0, returned: 0, withdrawn: 0, reinstated: 0 })
  })

/** Cancels all pending payments, so that new ones can begin. */
const cancelPending = command('cancel all pending payments', (_model, real) => real.cancelPending())

const want = fc.constantFrom(...wants)
const line = fc.constantFrom<Line>('restream', 'transcoding', 'storage')
const save = fc.constantFrom<0 | 1>(0, 1)
const once = fc.constantFrom(1, 1, 2)

/** Arbitraries of the commands. */
export const tariffCommands: readonly fc.Arbitrary<Command>[] = [
  fc.tuple(want, once).map(([one, times]) => buy(one, times)),
  fc.tuple(want, once).map(([one, times]) => buy(one, times)),
  fc.tuple(want, fc.constantFrom(-1, 1)).map(([one, difference]) => buyByOldQuote(one, difference)),
  fc.tuple(want, save, fc.boolean()).map(([one, isSaved, isPaid]) => payFor(one, isSaved, isPaid)),
  fc.tuple(want, save, fc.boolean()).map(([one, isSaved, isPaid]) => payFor(one, isSaved, isPaid)),
  line.map(cancelNext),
  fc.tuple(line, fc.constantFrom(true, true, false)).map(([one, enabled]) => switchRenewal(one, enabled)),
  fc.tuple(once, fc.constantFrom(null, null, 'insufficient_funds')).map(([times, decline]) => renew(times, decline)),
  fc.constantFrom(240, 71, 23, 5, -1).map(passToRenewal),
  line.map(renewSoon),
  fc.constantFrom(0, 1, 7).map(editPrices),
  fc.constant(restart),
  fc.tuple(fc.constantFrom(900, 4_000), fc.boolean()).map(([amount, effect]) => dieAtBegin(amount, effect)),
  fc.constant(cancelPending),
  ...payoutCommands,
]

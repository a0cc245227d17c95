// Commands of the model of billing at Stripe: payments, messages, refunds, disputes and time. Each changes the double and the
// model, and then the invariants are checked.
import fc from 'fast-check'
import { payments as operator } from '#contract/areas/operator/payments.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { findPayment } from '#server/domain/billing/payments/store.ts'
import { providerOf } from '#server/domain/billing/providers/registry.ts'
import { settle } from '#server/domain/billing/payments/settle.ts'
import { leftOf, type Real } from './model.ts'
import type { Model, ModelPayment } from './model-state.ts'
import { stateOf } from './model-store.ts'
import type { Begun } from './stripe-world.ts'
import { reconcile } from './pay-jobs.ts'

export type Command = fc.AsyncCommand<Model, Real>

/** Makes a command, after which the invariants are checked. */
export const command = (
  name: string,
  run: (model: Model, real: Real) => Promise<unknown>,
  check: (model: Readonly<Model>) => boolean = () => true,
): Command => ({
  check,
  async run(model, real) {
    await run(model, real)
    await real.check(model)
  },
  toString: () => name,
})

/** Makes a command about one of the payments so far. */
const aboutOne = (
  name: string,
  at: number,
  run: (one: {
    readonly payment: ModelPayment
    readonly begun: Begun
    readonly real: Real
    readonly model: Model
  }) => Promise<unknown>,
): Command =>
  command(
    `${name} of payment ${at}`,
    async (model, real) => {
      const place = at % model.payments.length
      const [payment, begun] = [model.payments[place], real.begun[place]]
      if (payment && begun) await run({ payment, begun, real, model })
    },
    ({ payments: all }) => all.length > 0,
  )

const topUp = (amount: number) =>
  command(`top up ${amount}`, async (model, real) => {
    const { status, body } = await real.stripe.create(amount)
    if (status !== 201) return
    const session = await real.stripe.open(body.payment_id)
    real.begun.push({ payment_id: body.payment_id, session })
    model.payments.push({ amount, paid: false, refunded: 0, returned: 0, withdrawn: 0, reinstated: 0 })
  })

const actions = ['pay', 'pay', 'pay', 'decline', 'challenge', 'confirm', 'late'] as const

const act = (at: number, action: (typeof actions)[number]) =>
  aboutOne(action, at, async ({ payment, begun: { session }, real }) => {
    // A customer on an open page is faster than its expiry.
    if (action === 'late' && session.status === 'expired') session.status = 'open'
    if (session.status !== 'open') return
    real.stripe.double.act(session, action === 'late' ? 'pay' : action)
    payment.paid = session.payment_status === 'paid'
  })

const cancel = (at: number) =>
  aboutOne('cancel', at, ({ begun: { payment_id }, real }) => {
    const input = { project_id: real.projectId, payment_id }
    return real.stripe.world.api(payments.cancel, input, { as: real.stripe.ann })
  })

/** Delivers messages in any order, each up to three times, and checks after them, or during them as webhooks do. */
const deliver = (picks: readonly (readonly [at: number, times: number])[], isAtOnce: boolean) =>
  command(`deliver ${JSON.stringify(picks)}${isAtOnce ? ' at once' : ''}`, async (_model, real) => {
    const messages = picks.flatMap(([at, times]) => {
      const message = real.messages[at % Math.max(1, real.messages.length)]
      return message ? Array.from({ length: times }, () => message) : []
    })
    if (isAtOnce) {
      await Promise.all(messages.map((message) => real.stripe.post(message, real.app)))
      return await real.stripe.checked()
    }
    for (const message of messages) await real.receive(message)
    return await real.runChecks()
  })

const settled = command('deliver all, twice', async (model, real) => {
  await real.checkSettled(model)
  const before = await stateOf(real.db, real.projectId)
  await real.deliverAll()
  if ((await stateOf(real.db, real.projectId)) !== before) throw new Error('I4: a repeated message changed the state')
})

const forge = (at: number, how: 'body' | 'signature' | 'secret' | 'age') =>
  aboutOne(`forge the ${how}`, at, async ({ begun: { session }, real, model }) => {
    const isSettled = await real.isSettled(model)
    const before = await stateOf(real.db, real.projectId)
    const { double } = real.stripe
    const seconds = Math.floor(Date.now() / 1000) - (how === 'age' ? 301 : 0)
    const paid = { ...session, status: 'complete', payment_status: 'paid' }
    const secret = how === 'secret' ? 'whsec_of_a_stranger' : undefined
    const message = double.sign('checkout.session.completed', paid, seconds, secret)
    const payload = how === 'body' ? message.payload.replace('paid', 'Paid') : message.payload
    const signature = how === 'signature' ? '' : message.signature
    const status = await real.stripe.post({ payload, signature }, real.app)
    if (status < 400 || status >= 500) throw new Error(`I14: a forged message is answered by ${status}`)
    const isChanged = isSettled && (await stateOf(real.db, real.projectId)) !== before
    if (isChanged) throw new Error('I14: a forged message changed the state')
  })

/** Keeps the present report of the provider for later. */
const remember = (at: number) =>
  aboutOne('remember the report', at, async ({ begun: { payment_id: paymentId, session }, real }) => {
    const row = await findPayment(real.db, paymentId)
    if (row) real.stale.push({ paymentId, seen: await providerOf(real.app.services, row).check(session.id) })
  })

const repeat = (at: number) =>
  command(`settle by the old report ${at}`, async (_model, real) => {
    const old = real.stale[at % Math.max(1, real.stale.length)]
    if (old) await settle(real.app.services, old.paymentId, old.seen, real.rules)
  })

const refund = (at: number, percent: number) =>
  aboutOne(`refund ${percent} % at the provider`, at, async ({ payment, begun: { session }, real }) => {
    const amount = Math.floor((leftOf(payment) * percent) / 100)
    if (amount <= 0) return
    const { double } = real.stripe
    double.tell('refund.created', double.state.refund(session.payment_intent ?? '', amount, {}))
    payment.refunded += amount
  })

const refundByOperator = (at: number, percent: number) =>
  aboutOne(`refund ${percent} % by the operator`, at, async ({ payment, begun: { payment_id }, real }) => {
    const { world, ann } = real.stripe
    const amount = Math.max(1, Math.floor((payment.amount * percent) / 100))
    const input = { payment_id, amount, reason: 'Asked by e-mail' }
    const { status, error } = await world.api(operator.refund, input, { as: ann })
    const isRefused = error?.name === 'ProviderRefused'
    // A refused refund leaves the balance and comes back.
    if (status === 200 || isRefused) payment.refunded += amount
    if (isRefused) payment.returned += amount
  })

/** The bank of the customer rejects a refund later. */
const failRefund = (at: number) =>
  aboutOne('fail a refund', at, async ({ payment, begun: { session }, real }) => {
    const { double } = real.stripe
    const refunds = [...double.state.refunds.values()]
    const one = refunds.find((row) => row.payment_intent === session.payment_intent && row.status === 'succeeded')
    if (!one) return
    one.status = 'failed'
    payment.returned += one.amount
    double.tell('refund.failed', one)
  })

const dispute = (at: number) =>
  aboutOne('dispute', at, async ({ payment, begun: { session }, real }) => {
    const amount = leftOf(payment)
    if (amount <= 0) return
    const { double } = real.stripe
    double.tell('charge.dispute.created', double.state.dispute(session.payment_intent ?? '', amount))
    payment.withdrawn += amount
  })

const closeDispute = (at: number, status: 'won' | 'lost') =>
  aboutOne(`dispute ${status}`, at, async ({ payment, begun: { session }, real }) => {
    const { double } = real.stripe
    const disputes = [...double.state.disputes.values()]
    const one = disputes.find((row) => row.payment_intent === session.payment_intent && row.status === 'needs_response')
    if (!one) return
    double.state.close(one, status)
    if (status === 'won') payment.reinstated += one.amount
    double.tell('charge.dispute.closed', one)
  })

const pass = (ms: number) => command(`pass ${ms} ms`, (_model, real) => real.stripe.pass(ms))

const tick = command('tick', async (_model, real) => {
  await real.runChecks()
  await reconcile(real.app.services)
})

const place = fc.nat({ max: 4 })
const percent = fc.constantFrom(1, 40, 100)
const second = 1000

/** Arbitraries of the commands at the provider. */
export const moneyCommands: readonly fc.Arbitrary<Command>[] = [
  fc.constantFrom(700, 2_500, 30_000).map(topUp),
  fc.tuple(place, fc.constantFrom(...actions)).map(([at, action]) => act(at, action)),
  fc.tuple(place, fc.constantFrom(...actions)).map(([at, action]) => act(at, action)),
  place.map(cancel),
  fc
    .tuple(fc.array(fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 3 })), { maxLength: 6 }), fc.boolean())
    .map(([picks, isAtOnce]) => deliver(picks, isAtOnce)),
  fc.constant(settled),
  fc.tuple(place, fc.constantFrom('body', 'signature', 'secret', 'age')).map(([at, how]) => forge(at, how)),
  place.map(remember),
  place.map(repeat),
  fc.tuple(place, percent).map(([at, part]) => refund(at, part)),
  fc.tuple(place, percent).map(([at, part]) => refundByOperator(at, part)),
  place.map(failRefund),
  place.map(dispute),
  fc.tuple(place, fc.constantFrom('won', 'lost')).map(([at, status]) => closeDispute(at, status)),
  fc.constantFrom(11 * second, 3_600 * second, 86_400 * second, 864_000 * second).map(pass),
  fc.constant(tick),
]

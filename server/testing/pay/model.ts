// Model of billing: a plain object with the amounts of each payment at Stripe's double, the service beside it, and the invariants
// that both have to agree on. Commands: model-commands.ts.
import { payments } from '#contract/areas/billing/payments.ts'
import { payments as operator } from '#contract/areas/operator/payments.ts'
import { updateBonuses } from '#server/domain/installation/store.ts'
import type { ProviderPayment } from '#server/domain/billing/providers/provider.ts'
import { receiveMessage } from '#server/domain/billing/payments/inbox.ts'
import type { settlement } from '#server/domain/billing/payments/settlement.ts'
import type { App } from '#server/app/create-app.ts'
import { brokenRules } from '#server/testing/tariffs.ts'
import type { StripeMessage } from './stripe-double.ts'
import type { Begun, StripeWorld } from './stripe-world.ts'
import { adopt } from './model-adopt.ts'
import type { Model, ModelPayment } from './model-state.ts'
import {
  bookTwice,
  brokenPapers,
  brokenSales,
  forgetRenewals,
  type Movements,
  papersBefore,
  type PapersBefore,
} from './model-sales.ts'
import {
  accountsOf,
  brokenMovements,
  forgetPayments,
  type KnownLevels,
  knownLevels,
  type Levels,
} from './model-store.ts'
import { makeOperator } from '#server/testing/test-app.ts'
import { runChecks } from './pay-jobs.ts'

/** Planted faults. */
export interface Faults {
  /** Default: the settlement of the service. */
  readonly rules?: typeof settlement
  /** Movements of which one is booked a second time. */
  readonly twice?: Movements
}

/** The service of one run, with a project of its own. */
export class Real {
  readonly stripe: StripeWorld
  readonly rules: typeof settlement | undefined
  /** Payments in the order of the model. */
  readonly begun: Begun[] = []
  /** Reports that were current once. */
  readonly stale: { readonly paymentId: number; readonly seen: ProviderPayment }[] = []
  /** Way to pay out. */
  way: number | undefined
  /** True after a change of currency: a refund that came back before the next check then needs no booking. */
  hasMoved = false
  /** Sources of sales that the model has counted. */
  readonly counted = new Set<string>()
  /** Content of each paper of the run. */
  readonly #papers = new Map<number, string>()
  readonly #papersBefore: PapersBefore
  readonly #loggedBefore: number
  #twice: Movements | undefined

  private constructor(stripe: StripeWorld, { rules, twice }: Faults, before: PapersBefore) {
    this.stripe = stripe
    this.rules = rules
    this.#twice = twice
    this.#papersBefore = before
    this.#loggedBefore = stripe.world.logged.length
  }

  /** Starts a run with a new project. */
  static async start(stripe: StripeWorld, faults: Faults = {}): Promise<Real> {
    const { world, double } = stripe
    const { db } = world.app
    await forgetPayments(db)
    await forgetRenewals(db)
    double.messages.length = 0
    double.decline = null
    double.refuse = null
    double.faults.length = 0
    // Small, so that most plans need a payment.
    await updateBonuses(db, { rub: 2_000, usd: 2_000 })
    stripe.ann = await world.user()
    await makeOperator(world, stripe.ann)
    return new Real(stripe, faults, await papersBefore(db))
  }

  /** Replica that takes calls. */
  get app(): App {
    return this.stripe.world.app
  }

  get db() {
    return this.app.db
  }

  get projectId(): number {
    return this.stripe.ann.projectId
  }

  get project() {
    return { project_id: this.projectId }
  }

  get messages(): readonly StripeMessage[] {
    return this.stripe.double.messages
  }

  /** Receives a message without the check that the webhook starts, so that `rules` apply and the order is known. */
  async receive({ payload, signature }: StripeMessage): Promise<void> {
    const headers = { 'stripe-signature': signature }
    const message = { headers, rawBody: Buffer.from(payload), address: '127.0.0.1' }
    const outcome = await receiveMessage(this.app.services, 'stripe', message)
    // A refund may be reported before a check has found the payment intent of its session: that check finds the refund.
    if (outcome !== 'verified' && outcome !== 'ignored') throw new Error(`A true message is ${outcome}`)
  }

  /** Checks every payment that is due. */
  runChecks = () => runChecks(this.app.services, this.rules)

  /** Delivers every message of the run, and waits for all checks: the job of the service may have begun one of them. */
  async deliverAll(): Promise<void> {
    for (const message of this.messages) await this.receive(message)
    await this.stripe.checked(this.rules)
  }

  /** Checks what holds after any command. @throws with the broken rules */
  async check(model: Model): Promise<void> {
    // The jobs of the service may book between two reads: a rule is broken when it stays broken.
    if ((await this.#broken(model)).length > 0) refuse(await this.#broken(model))
  }

  async #broken(model: Model): Promise<string[]> {
    const { db, projectId, stripe } = this
    await adopt(this, model)
    if (this.#twice && (await bookTwice(db, stripe.world.clock, projectId, this.#twice))) this.#twice = undefined
    const known = await knownLevels(db, projectId)
    return [
      ...(await brokenRules({ db, clock: stripe.world.clock }, projectId)),
      ...(await brokenMovements(db, projectId)),
      ...(await brokenSales(db, projectId, model)),
      ...(await brokenPapers(db, this.#papersBefore, this.#papers)),
      ...known.flatMap((levels) => this.#aboveOf(model, levels)),
      ...stripe.world.logged.slice(this.#loggedBefore).filter(isError),
    ]
  }

  /** Cancels all pending payments, as customers do. */
  async cancelPending(): Promise<void> {
    const { world, ann } = this.stripe
    const { results } = (await world.api(payments.list, { ...this.project, page: 1, pageSize: 100 }, { as: ann })).body
    for (const { payment_id, status } of results)
      if (status === 'pending') await world.api(payments.cancel, { ...this.project, payment_id }, { as: ann })
  }

  /** Closes the cases of the operator one after the other: a payment has one at a time, and a check opens the next. */
  async closeCases(): Promise<void> {
    const { world, ann } = this.stripe
    for (let round = 0; round < casesMax; round++) {
      const open = (await knownLevels(this.db, this.projectId)).filter(({ isWaiting }) => isWaiting)
      if (open.length === 0) return
      for (const { id } of open) {
        const { error } = await world.api(
          operator.resolve,
          { payment_id: id, book: false, reason: 'Model' },
          { as: ann },
        )
        // A check may have credited it meanwhile.
        if (error && error.name !== 'NoReview') throw new Error(`A case cannot be closed: ${error.name}`)
      }
      await this.deliverAll()
    }
    throw new Error(`A payment has a case after ${casesMax} were closed`)
  }

  /** Delivers everything, closes the cases, and checks that the known state is that of the provider (I3, I5). */
  async checkSettled(model: Model): Promise<void> {
    await this.deliverAll()
    await this.closeCases()
    await this.check(model)
    const [found, expected] = await this.#levels(model)
    const known = await knownLevels(this.db, this.projectId)
    const booked = model.payments.map((payment, at) => {
      const inCases = known.find(({ id }) => id === this.begun[at]?.payment_id)?.inCases
      return inCases && inCases.credited > 0 ? 0 : leftOf(payment) - (inCases ? netOf(inCases) : 0)
    })
    const net = booked.reduce((sum, one) => sum + one, 0)
    const clearing = 0 - ((await accountsOf(this.db, this.projectId))['clearing.stripe usd'] ?? 0)
    refuse([
      ...(found === expected ? [] : [`I5: booked ${found} instead of ${expected}`]),
      ...(clearing === net ? [] : [`I3: clearing has ${clearing} instead of ${net}`]),
    ])
  }

  /** Returns whether everything that the provider has is booked or in a case, so that the jobs of the service change nothing. */
  async isSettled(model: Model): Promise<boolean> {
    const [found, expected] = await this.#levels(model)
    return found === expected
  }

  /** Returns the known levels, and those at the provider, as text. */
  async #levels(model: Model): Promise<[found: string, expected: string]> {
    const known = await knownLevels(this.db, this.projectId)
    const found = this.begun.map(({ payment_id }) => known.find(({ id }) => id === payment_id))
    const expected = model.payments.map((payment, at) => {
      const levels = levelsOf(payment)
      // Returns of money that was never credited change nothing.
      return (found[at]?.inCases.credited ?? 0) > 0 ? { ...noReturns, credited: levels.credited } : levels
    })
    return [textOf(found, this.hasMoved), textOf(expected, this.hasMoved)]
  }

  /** I4, I7: nothing is booked or in a case that the provider does not have. */
  #aboveOf(model: Model, known: KnownLevels): string[] {
    const at = this.begun.findIndex(({ payment_id }) => payment_id === known.id)
    const payment = model.payments[at]
    if (!payment) return known.credited > 0 ? [`I4: payment ${known.id} was never paid`] : []
    const levels = levelsOf(payment)
    return levelNames
      .filter((name) => known[name] > levels[name])
      .map((name) => `I4: ${name} ${known[name]} of payment ${known.id}, at the provider ${levels[name]}`)
  }
}

/** A service that died still logs that its database is closed. */
const isError = (line: string): boolean =>
  line.includes('"level":50') && !line.includes('driver has already been destroyed')

const levelNames = ['credited', 'refunded', 'returned', 'withdrawn', 'reinstated'] as const
const noReturns = { refunded: 0, returned: 0, withdrawn: 0, reinstated: 0 }
/** More cases than a payment can have in a run. */
const casesMax = 60

const levelsOf = ({ paid, amount, ...levels }: ModelPayment): Levels => ({ credited: paid ? amount : 0, ...levels })

/** @param isNet only what refunds and disputes took in the end */
const textOf = (all: readonly (Levels | undefined)[], isNet: boolean): string =>
  all
    .map((levels) => (levels && isNet ? netLevels(levels) : levels))
    .map((levels) => levelNames.map((name) => `${name} ${levels?.[name]}`).join(', '))
    .join('; ')

const netLevels = ({ credited, refunded, returned, withdrawn, reinstated }: Levels): Levels => ({
  ...noReturns,
  credited,
  refunded: refunded - returned,
  withdrawn: withdrawn - reinstated,
})

const netOf = ({ credited, refunded, returned, withdrawn, reinstated }: Levels): number =>
  credited - refunded + returned - withdrawn + reinstated

/** Returns what a payment has left at the provider, minor units. */
export const leftOf = (payment: ModelPayment): number => netOf(levelsOf(payment))

function refuse(broken: readonly string[]): void {
  if (broken.length > 0) throw new Error(broken.join('\n'))
}

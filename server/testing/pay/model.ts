// Model of billing: a plain object with the amounts of each payment at Stripe's double, the service beside it, and the invariants
// that both have to agree on. Commands: model-commands.ts.
import { insertOperator } from '#server/domain/installation/store.ts'
import type { Seen } from '#server/domain/billing/provider.ts'
import { receiveMessage } from '#server/domain/billing/inbox.ts'
import { runLooks } from '#server/domain/billing/looks.ts'
import type { settlement } from '#server/domain/billing/settlement.ts'
import type { App } from '#server/app/create-app.ts'
import { brokenRules } from '#server/testing/tariffs.ts'
import type { StripeMessage } from './stripe-double.ts'
import type { Begun, StripeWorld } from './stripe-world.ts'
import { accountsOf, type BookedLevels, bookedLevels, brokenMovements, forgetPayments } from './model-store.ts'

/** A payment at the provider, minor units. */
export interface ModelPayment {
  readonly amount: number
  paid: boolean
  refunded: number
  /** Refunds that failed later. */
  returned: number
  withdrawn: number
  reinstated: number
}

/** Payments as the provider has them. */
export interface Model {
  readonly payments: ModelPayment[]
}

/** The service of one run, with a project of its own. */
export class Real {
  readonly stripe: StripeWorld
  readonly rules: typeof settlement | undefined
  /** Payments in the order of the model. */
  readonly begun: Begun[] = []
  /** Reports that were current once. */
  readonly stale: { readonly paymentId: number; readonly seen: Seen }[] = []
  /** Replica that takes calls. */
  app: App
  readonly #loggedBefore: number

  private constructor(stripe: StripeWorld, rules: typeof settlement | undefined) {
    this.stripe = stripe
    this.rules = rules
    this.app = stripe.world.app
    this.#loggedBefore = stripe.world.logged.length
  }

  /** Starts a run. @param rules settlement with a planted fault; default: that of the service */
  static async start(stripe: StripeWorld, rules?: typeof settlement): Promise<Real> {
    const { world, double } = stripe
    await forgetPayments(world.app.db)
    double.messages.length = 0
    stripe.ann = await world.user()
    await insertOperator(world.app.db, { user_id: stripe.ann.id, date_create: world.clock.now().toISOString() })
    return new Real(stripe, rules)
  }

  get db() {
    return this.app.db
  }

  get projectId(): number {
    return this.stripe.ann.projectId
  }

  get messages(): readonly StripeMessage[] {
    return this.stripe.double.messages
  }

  /** Receives a message without the look that the webhook starts, so that `rules` apply and the order is known. */
  async receive({ payload, signature }: StripeMessage): Promise<void> {
    const headers = { 'stripe-signature': signature }
    const message = { headers, rawBody: Buffer.from(payload), address: '127.0.0.1' }
    const outcome = await receiveMessage(this.app.services, 'stripe', message)
    if (outcome !== 'accepted') throw new Error(`A true message is ${outcome}`)
  }

  /** Looks at every payment that is due. */
  look = () => runLooks(this.app.services, this.rules)

  /** Delivers every message of the run, and looks. */
  async deliverAll(): Promise<void> {
    for (const message of this.messages) await this.receive(message)
    await this.look()
  }

  /** Checks what holds after any command. @throws with the broken rules */
  async check(model: Model): Promise<void> {
    const { db, projectId, stripe } = this
    const booked = await bookedLevels(db, projectId)
    refuse([
      ...(await brokenRules({ db, clock: stripe.world.clock }, projectId)),
      ...(await brokenMovements(db, projectId)),
      ...booked.flatMap((levels) => this.#aboveOf(model, levels)),
      ...stripe.world.logged.slice(this.#loggedBefore).filter((line) => line.includes('"level":50')),
    ])
  }

  /** Delivers everything, and checks that the booked state is that of the provider (I3, I5). */
  async checkSettled(model: Model): Promise<void> {
    await this.deliverAll()
    await this.check(model)
    const booked = await bookedLevels(this.db, this.projectId)
    const expected = model.payments.map(levelsOf)
    const found = this.begun.map(({ payment_id }) => booked.find(({ id }) => id === payment_id))
    const net = expected.reduce((sum, one) => sum + netOf(one), 0)
    const clearing = 0 - ((await accountsOf(this.db, this.projectId))['clearing.stripe'] ?? 0)
    refuse([
      ...(textOf(found) === textOf(expected) ? [] : [`I5: booked ${textOf(found)} instead of ${textOf(expected)}`]),
      ...(clearing === net ? [] : [`I3: clearing has ${clearing} instead of ${net}`]),
    ])
  }

  /** I4, I7: nothing is booked that the provider does not have. */
  #aboveOf(model: Model, booked: BookedLevels): string[] {
    const at = this.begun.findIndex(({ payment_id }) => payment_id === booked.id)
    const payment = model.payments[at]
    if (!payment) return booked.credited > 0 ? [`I4: payment ${booked.id} was never paid`] : []
    const levels = levelsOf(payment)
    return levelNames
      .filter((name) => booked[name] > levels[name])
      .map((name) => `I4: ${name} ${booked[name]} of payment ${booked.id}, at the provider ${levels[name]}`)
  }
}

const levelNames = ['credited', 'refunded', 'returned', 'withdrawn', 'reinstated'] as const
/** Amounts that only grow, minor units. */
type Levels = Readonly<Record<(typeof levelNames)[number], number>>

const levelsOf = ({ paid, amount, ...levels }: ModelPayment): Levels => ({ credited: paid ? amount : 0, ...levels })

const textOf = (all: readonly (Levels | undefined)[]): string =>
  all.map((levels) => levelNames.map((name) => `${name} ${levels?.[name]}`).join(', ')).join('; ')

const netOf = ({ credited, refunded, returned, withdrawn, reinstated }: Levels): number =>
  credited - refunded + returned - withdrawn + reinstated

/** Returns what a payment has left at the provider, minor units. */
export const leftOf = (payment: ModelPayment): number => netOf(levelsOf(payment))

function refuse(broken: readonly string[]): void {
  if (broken.length > 0) throw new Error(broken.join('\n'))
}

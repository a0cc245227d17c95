// Model of billing: a plain object with the amounts of each payment at Stripe's double, the service beside it, and the invariants
// that both have to agree on. Commands: model-commands.ts.
import { updateInstallation } from '#server/domain/installation/store.ts'
import type { Seen } from '#server/domain/billing/providers/provider.ts'
import { receiveMessage } from '#server/domain/billing/inbox.ts'
import { runLooks } from '#server/domain/billing/looks.ts'
import type { settlement } from '#server/domain/billing/settlement.ts'
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
import { accountsOf, type BookedLevels, bookedLevels, brokenMovements, forgetPayments } from './model-store.ts'
import { makeOperator } from '#server/testing/test-app.ts'

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
  readonly stale: { readonly paymentId: number; readonly seen: Seen }[] = []
  /** Way to pay out. */
  way: number | undefined
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
    // Small, so that most plans need a payment.
    await updateInstallation(db, { bonus_rub_minor: 2_000, bonus_usd_minor: 2_000 })
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

  /** Receives a message without the look that the webhook starts, so that `rules` apply and the order is known. */
  async receive({ payload, signature }: StripeMessage): Promise<void> {
    const headers = { 'stripe-signature': signature }
    const message = { headers, rawBody: Buffer.from(payload), address: '127.0.0.1' }
    const outcome = await receiveMessage(this.app.services, 'stripe', message)
    if (outcome !== 'accepted') throw new Error(`A true message is ${outcome}`)
  }

  /** Looks at every payment that is due. */
  look = () => runLooks(this.app.services, this.rules)

  /** Delivers every message of the run, and waits for all looks: the job of the service may have begun one of them. */
  async deliverAll(): Promise<void> {
    for (const message of this.messages) await this.receive(message)
    await this.stripe.looked(this.rules)
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
    const booked = await bookedLevels(db, projectId)
    return [
      ...(await brokenRules({ db, clock: stripe.world.clock }, projectId)),
      ...(await brokenMovements(db, projectId)),
      ...(await brokenSales(db, projectId, model)),
      ...(await brokenPapers(db, this.#papersBefore, this.#papers)),
      ...booked.flatMap((levels) => this.#aboveOf(model, levels)),
      ...stripe.world.logged.slice(this.#loggedBefore).filter(isError),
    ]
  }

  /** Delivers everything, and checks that the booked state is that of the provider (I3, I5). */
  async checkSettled(model: Model): Promise<void> {
    await this.deliverAll()
    await this.check(model)
    const [found, expected] = await this.#levels(model)
    const net = model.payments.reduce((sum, one) => sum + leftOf(one), 0)
    const clearing = 0 - ((await accountsOf(this.db, this.projectId))['clearing.stripe'] ?? 0)
    refuse([
      ...(found === expected ? [] : [`I5: booked ${found} instead of ${expected}`]),
      ...(clearing === net ? [] : [`I3: clearing has ${clearing} instead of ${net}`]),
    ])
  }

  /** Returns whether everything that the provider has is booked, so that the jobs of the service change nothing. */
  async isSettled(model: Model): Promise<boolean> {
    const [found, expected] = await this.#levels(model)
    return found === expected
  }

  /** Returns the booked levels, and those at the provider, as text. */
  async #levels(model: Model): Promise<[found: string, expected: string]> {
    const booked = await bookedLevels(this.db, this.projectId)
    const found = this.begun.map(({ payment_id }) => booked.find(({ id }) => id === payment_id))
    return [textOf(found), textOf(model.payments.map(levelsOf))]
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

/** A service that died still logs that its database is closed. */
const isError = (line: string): boolean =>
  line.includes('"level":50') && !line.includes('driver has already been destroyed')

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

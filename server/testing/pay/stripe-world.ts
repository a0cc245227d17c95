// A service with Stripe's double: top up, pay, and deliver messages.
import type { App } from '#server/app/create-app.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { brokenRules } from '#server/testing/tariffs.ts'
import { runChecks } from './pay-jobs.ts'
import { killIn, PayWorld } from './pay-world.ts'
import { StripeDouble, type StripeMessage } from './stripe-double.ts'
import type { SessionDouble } from './stripe-state.ts'

/** A top-up that has begun at the double. */
export interface Begun {
  readonly payment_id: number
  readonly session: SessionDouble
}

/** A service in this process and its Stripe. Calls go to the service of the last restart. */
export class StripeWorld extends PayWorld {
  readonly double: StripeDouble
  #isRestarted = false

  private constructor(double: StripeDouble, ...rest: ConstructorParameters<typeof PayWorld>) {
    super(...rest)
    this.double = double
    double.state.now = () => Math.floor(this.world.clock.now().getTime() / 1000)
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<StripeWorld> {
    const double = await StripeDouble.start()
    const world = await testApp({ PUBLIC_URL: 'https://live.example.com', ...double.env, ...env })
    return new StripeWorld(double, world, await world.user('Ann'))
  }

  /** Makes a replica die in a call to the double. See `killIn`. */
  kill = (call: string, effect: boolean, act: () => Promise<unknown>): Promise<void> =>
    killIn(this.double, { call, effect }, act)

  /** Replaces the service by a new one on the same database: caches, limits and running work begin anew. */
  async restart(): Promise<void> {
    const { world } = this
    const app = await world.replica()
    if (this.#isRestarted) await world.app.close()
    this.#isRestarted = true
    const api: World['api'] = (op, input, options = {}) => world.api(op, input, { through: app, ...options })
    this.world = { ...world, app, services: app.services, api }
  }

  async close(): Promise<void> {
    // A replica that was killed in a test does not wait for its answer.
    for (const response of this.double.hung.splice(0)) response.destroy()
    await this.world.close()
    await this.double.close()
  }

  /** Stops. @param check default: the invariants of the ledger @throws Error for what is wrong */
  async end(check: (stripe: StripeWorld) => Promise<string[]> = brokenLedger): Promise<void> {
    const broken = await check(this)
    await this.close()
    if (broken.length > 0) throw new Error(broken.join(', '))
  }

  /** Creates a payment and opens its page. */
  async begin(amount: number, more: object = {}): Promise<Begun> {
    const { payment_id } = (await this.create(amount, more)).body
    return { payment_id, session: await this.open(payment_id) }
  }

  async open(payment_id: number): Promise<SessionDouble> {
    const address = await this.redirect(payment_id)
    const session = this.double.state.sessions.get(address.split('/').at(-1) ?? '')
    if (!session) throw new Error(`${address} is no page of the double`)
    return session
  }

  /** Delivers messages to a replica, in their order. */
  async deliver(messages: readonly StripeMessage[] = this.double.messages.splice(0), app: App = this.world.app) {
    for (const message of messages) await this.post(message, app)
    await this.checked()
  }

  /** Delivers one message to a replica, which checks its payment. @returns the status */
  async post({ payload, signature }: StripeMessage, app: App = this.world.app): Promise<number> {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    const { statusCode } = await app.inject({ method: 'POST', url: '/pay/webhook/stripe', payload, headers })
    await runChecks(app.services)
    return statusCode
  }

  /** Pays a top-up and delivers what Stripe tells. */
  async topUp(amount: number, more: object = {}): Promise<Begun> {
    const begun = await this.begin(amount, more)
    this.double.act(begun.session, 'pay')
    await this.deliver()
    return begun
  }
}

const brokenLedger = ({ world, ann }: StripeWorld): Promise<string[]> =>
  brokenRules({ db: world.app.db, clock: world.clock }, ann.projectId)

/** Returns what is wrong with the money of a project: the invariants of the ledger, and I3 against the double. */
export async function brokenPayments(stripe: StripeWorld): Promise<string[]> {
  const { double } = stripe
  const { db } = stripe.world.app
  const entries = await db.selectFrom('ledger_entries').selectAll().where('account', '=', 'clearing.stripe').execute()
  const cleared = entries.reduce((sum, { amount_minor }) => sum - amount_minor, 0)
  const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
  const received = sumOf([...double.state.intents.values()].map(({ amount_received }) => amount_received))
  const returned = sumOf([...double.state.refunds.values()].map(({ amount }) => amount))
  return [
    ...(await brokenLedger(stripe)),
    ...(cleared === received - returned ? [] : [`clearing has ${cleared}, Stripe ${received - returned}`]),
  ]
}

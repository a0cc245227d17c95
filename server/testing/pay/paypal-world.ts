// A service with PayPal's double: top up, approve, and deliver messages.
import type { App } from '#server/app/create-app.ts'
import { brokenRules } from '#server/testing/tariffs.ts'
import { testApp } from '#server/testing/test-app.ts'
import { PaypalDouble, type PaypalMessage } from './paypal-double.ts'
import { cents, type DoubleCapture, type DoubleOrder } from './paypal-state.ts'
import { runChecks } from './pay-jobs.ts'
import { killIn, PayWorld } from './pay-world.ts'

/** A top-up that has begun at the double. */
export interface PaypalBegun {
  readonly payment_id: number
  readonly order: DoubleOrder
}

/** A service in this process and its PayPal. */
export class PaypalWorld extends PayWorld {
  readonly double: PaypalDouble
  /** Broken rules that a test causes on purpose. */
  readonly expected: string[] = []

  private constructor(double: PaypalDouble, ...rest: ConstructorParameters<typeof PayWorld>) {
    super(...rest)
    this.double = double
    double.state.now = () => this.world.clock.now()
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<PaypalWorld> {
    const double = await PaypalDouble.start()
    const world = await testApp({ PUBLIC_URL: 'https://live.example.com', ...double.env, ...env })
    return new PaypalWorld(double, world, await world.user('Ann'))
  }

  /** Stops. @throws Error for broken rules beside the expected ones, and for secrets in the log */
  async end(): Promise<void> {
    const broken = await brokenPaypal(this)
    // A replica that was killed in a test does not wait for its answer.
    for (const response of this.double.hung.splice(0)) response.destroy()
    await this.world.close()
    await this.double.close()
    if (broken.join() !== this.expected.join()) throw new Error(broken.join(', ') || 'No rule is broken')
    const secret = /secret-of-the-double|A21AA|checkoutnow/.exec(this.world.logged.join(''))
    if (secret) throw new Error(`The log has ${secret[0]}`)
  }

  /** Makes a replica die in a call to the double. See `killIn`. */
  kill = (call: string, effect: boolean, act: () => Promise<unknown>): Promise<void> =>
    killIn(this.double, { call, effect }, act)

  /** Creates a payment and opens its page. */
  async begin(amount: number, more: object = {}): Promise<PaypalBegun> {
    const { payment_id } = (await this.create(amount, more)).body
    return { payment_id, order: await this.open(payment_id) }
  }

  async open(payment_id: number): Promise<DoubleOrder> {
    const address = await this.redirect(payment_id)
    const order = this.double.state.orders.get(new URL(address).searchParams.get('token') ?? '')
    if (!order) throw new Error(`${address} is no page of the double`)
    return order
  }

  /** Delivers one message to a replica, which checks its payment. @returns the status */
  async post({ payload, headers }: PaypalMessage, app: App = this.world.app): Promise<number> {
    const all = { 'content-type': 'application/json', ...headers }
    const { statusCode } = await app.inject({ method: 'POST', url: '/pay/webhook/paypal', payload, headers: all })
    await runChecks(app.services)
    return statusCode
  }

  /** Delivers messages until there are none: their checks cause others. */
  async deliver(): Promise<void> {
    while (this.double.messages.length > 0) {
      for (const message of this.double.messages.splice(0)) await this.post(message)
      await this.checked()
    }
  }

  /** Approves a top-up and delivers what PayPal tells. */
  async topUp(amount: number, more: object = {}): Promise<PaypalBegun & { readonly capture: DoubleCapture }> {
    const begun = await this.begin(amount, more)
    this.double.act(begun.order, 'approve')
    await this.deliver()
    const [capture] = begun.order.purchase_units[0].payments.captures
    if (!capture) throw new Error('The order was not captured')
    return { ...begun, capture }
  }
}

/** Returns what is wrong: the invariants of the ledger, I3 against the double, and requests that PayPal does not allow. */
async function brokenPaypal({ world, double, ann }: PaypalWorld): Promise<string[]> {
  const { db } = world.app
  const entries = await db.selectFrom('ledger_entries').selectAll().where('account', '=', 'clearing.paypal').execute()
  const cleared = entries.reduce((sum, { amount_minor }) => sum - amount_minor, 0)
  const sumOf = (all: readonly { readonly amount: { readonly value: string } }[]) =>
    all.reduce((sum, { amount }) => sum + cents(amount), 0)
  const { captures, refunds, disputes } = double.state
  const moved = [...disputes.values()]
    .flatMap(({ fund_movements }) => fund_movements)
    .filter(({ party, reason }) => party === 'SELLER' && !reason.endsWith('_FEE'))
  const held =
    sumOf(captures.filter(({ status }) => status !== 'PENDING' && status !== 'DECLINED')) -
    sumOf(refunds.filter(({ status }) => status !== 'FAILED')) -
    sumOf(moved.filter(({ type }) => type === 'DEBIT')) +
    sumOf(moved.filter(({ type }) => type === 'CREDIT'))
  return [
    ...double.problems,
    ...(await brokenRules({ db, clock: world.clock }, ann.projectId)),
    ...(cleared === held ? [] : [`clearing has ${cleared}, PayPal ${held}`]),
  ]
}

// A service with YooKassa's double and the codes of 54-FZ: a project in roubles, its top-ups and its closing receipts.
import type { App } from '#server/app/create-app.ts'
import { updatePaperSettings } from '#server/domain/billing/profile-store.ts'
import { buy } from '#server/domain/tariffs/subscriptions-change.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import { book, lockWallet } from '#server/domain/money/ledger.ts'
import { transaction } from '#server/db/transaction.ts'
import { setBalance } from '#server/testing/billing.ts'
import { testApp } from '#server/testing/test-app.ts'
import { killIn, PayWorld } from './pay-world.ts'
import { cents } from './paypal-state.ts'
import { paidMessage, yookassaDouble, type YookassaDouble, yookassaShop } from './yookassa-double.ts'
import { runClosingReceipts, runChecks } from './pay-jobs.ts'

/** A service in this process and its YooKassa. */
export class YookassaWorld extends PayWorld {
  readonly double: YookassaDouble

  private constructor(double: YookassaDouble, ...rest: ConstructorParameters<typeof PayWorld>) {
    super(...rest)
    this.double = double
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<YookassaWorld> {
    const now = { value: () => new Date() }
    const double = await yookassaDouble(() => now.value())
    const bases = { PROVIDER_BASES: `yookassa=${double.base}`, PUBLIC_URL: 'https://live.example.com' }
    const world = await testApp({ ...yookassaShop, ...bases, ...env })
    now.value = () => world.clock.now()
    const pay = new YookassaWorld(double, world, await world.user('Ann'))
    await pay.useRoubles(pay.ann.projectId)
    await pay.setCodes(2, 4)
    return pay
  }

  /** Stops. @throws Error for another sum than YooKassa's, and for requests that the reference does not allow */
  async end(): Promise<void> {
    const { hung } = this.double
    const problems = [...this.double.problems, ...(await this.#differences())]
    // A replica that was killed in a test does not wait for its answer.
    for (const response of hung.splice(0)) response.destroy()
    await Promise.all([this.world.close(), this.double.close()])
    if (problems.length > 0) throw new Error(problems.join('\n'))
  }

  /** Returns what is wrong with the sum that YooKassa has. */
  async #differences(): Promise<string[]> {
    const { db } = this.world.app
    const account = 'clearing.yookassa'
    const entries = await db.selectFrom('ledger_entries').selectAll().where('account', '=', account).execute()
    const cleared = entries.reduce((sum, { amount_minor }) => sum - amount_minor, 0)
    const sumOf = (all: Iterable<{ readonly amount: { readonly value: string } }>) =>
      [...all].reduce((sum, { amount }) => sum + cents(amount), 0)
    const paid = [...this.double.payments.values()].filter(({ status }) => status === 'succeeded')
    const refunded = [...this.double.refunds.values()].filter(({ status }) => status !== 'canceled')
    // Disputes are entered by hand: the double knows none.
    const disputes = await db.selectFrom('payment_disputes').selectAll().execute()
    const disputed = disputes.reduce((sum, one) => sum + one.withdrawn_minor - one.reinstated_minor, 0)
    const held = sumOf(paid) - sumOf(refunded) - disputed
    return cleared === held ? [] : [`clearing has ${cleared}, YooKassa ${held}`]
  }

  /** Makes a replica die in a call to the double. See `killIn`. */
  kill = (call: string, effect: boolean, act: () => Promise<unknown>): Promise<void> =>
    killIn(this.double, { call, effect }, act)

  /** Opens the page of a payment. @returns its id at YooKassa */
  open = async (payment_id: number): Promise<string> =>
    new URL(await this.redirect(payment_id)).searchParams.get('orderId') ?? ''

  /** The customer pays, and YooKassa notifies a replica. @returns the status of the webhook */
  async pay(id: string, app: App = this.world.app): Promise<number> {
    this.double.pay(id)
    const payload = paidMessage(id)
    const headers = { 'content-type': 'application/json' }
    const { statusCode } = await app.inject({ method: 'POST', url: '/pay/webhook/yookassa', payload, headers })
    await runChecks(app.services)
    return statusCode
  }

  /** Sets tax system and VAT code; null: receipts are off. */
  setCodes = (tax_system: number | null, vat_code: number | null): Promise<void> =>
    updatePaperSettings(this.world.app.db, {
      seller_name: '',
      seller_address: '',
      seller_tax_id: '',
      tax_system,
      vat_code,
    })

  async useRoubles(projectId: number): Promise<void> {
    await this.world.app.db.updateTable('projects').set({ currency: 'rub' }).where('id', '=', projectId).execute()
    await setBalance(this.world, projectId, {})
  }

  /** Tops up by YooKassa. @returns ids of the payment, here and there */
  async topUp(amount: number, more: object = {}): Promise<{ readonly payment_id: number; readonly payId: string }> {
    const { payment_id } = (await this.create(amount, more)).body
    await this.redirect(payment_id)
    const payId = [...this.double.payments.keys()].at(-1) ?? ''
    this.double.pay(payId)
    await this.pass(60_000)
    await this.checked()
    return { payment_id, payId }
  }

  /** Gives money of the operator to the paid-in balance. */
  grant = (payment: number): Promise<unknown> =>
    transaction(this.world.app.db, async (trx) => {
      const wallet = await lockWallet(trx, this.ann.projectId)
      const change = { ...emptyBalance, payment }
      await book(trx, this.world.clock.now().toISOString(), wallet, { type: 'accrued_admin', currency: 'rub', change })
    })

  /** Buys a month of a restream plan from the balance. */
  buy = (planId = 2, projectId = this.ann.projectId): Promise<unknown> =>
    buy(this.world.app.db, this.world.clock, { projectId, line: 'restream', planId, period: 'month' })

  /** Takes the steps of receipts that are due. */
  send = (): Promise<number> => runClosingReceipts(this.world.services)

  /** Closing receipts as the double has them: payment, position and amount. */
  get closed(): readonly (readonly [string, unknown, string])[] {
    return [...this.double.receipts.values()].map(({ payment_id, items, settlements }) => [
      payment_id,
      (items as readonly { description: string }[])[0]?.description,
      settlements.map(({ amount }) => amount.value).join(),
    ])
  }

  rows = () => this.world.app.db.selectFrom('closing_receipts').selectAll().orderBy('id').execute()
}

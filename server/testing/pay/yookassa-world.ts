// A service with YooKassa's double and the codes of 54-FZ: a project in roubles, its top-ups and its closing receipts.
import { runClosingReceipts } from '#server/domain/billing/closing-receipts.ts'
import { updatePaperSettings } from '#server/domain/billing/profile-store.ts'
import { buy } from '#server/domain/tariffs/subscriptions-change.ts'
import { emptyBalance } from '#server/domain/tariffs/balance.ts'
import { book, lockWallet } from '#server/domain/tariffs/ledger.ts'
import { transaction } from '#server/db/transaction.ts'
import { setBalance } from '#server/testing/billing.ts'
import { testApp } from '#server/testing/test-app.ts'
import { PayWorld } from './pay-world.ts'
import { yookassaDouble, type YookassaDouble, yookassaShop } from './yookassa-double.ts'

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

  /** Stops. @throws Error for requests that the reference does not allow */
  async end(): Promise<void> {
    const { problems, hung } = this.double
    // A replica that was killed in a test does not wait for its answer.
    for (const response of hung.splice(0)) response.destroy()
    await Promise.all([this.world.close(), this.double.close()])
    if (problems.length > 0) throw new Error(problems.join('\n'))
  }

  /** Sets tax system and VAT code; null: receipts are off. */
  setCodes = (tax_system: number | null, vat_code: number | null): Promise<void> =>
    updatePaperSettings(this.world.app.db, {
      seller_name: '',
      seller_address: '',
      seller_tax_id: '',
      kopecks_per_dollar: null,
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
    await this.looked()
    return { payment_id, payId }
  }

  /** Gives money of the operator to the paid-in balance. */
  grant = (payment: number): Promise<unknown> =>
    transaction(this.world.app.db, async (trx) => {
      const wallet = await lockWallet(trx, this.ann.projectId)
      const change = { ...emptyBalance, payment }
      await book(trx, this.world.clock.now().toISOString(), wallet, { type: 'accrued_admin', change })
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

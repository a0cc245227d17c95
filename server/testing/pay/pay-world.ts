// A service in this process with one project, its payments, and time that passes.
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import type { settlement } from '#server/domain/billing/payments/settlement.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { getDebt } from '#server/domain/money/store.ts'
import { eventually } from '#server/testing/eventually.ts'
import type { Hang } from './double-request.ts'
import type { Person, World } from '#server/testing/test-app.ts'
import { pass, runChecks } from './pay-jobs.ts'

/** Payments of one project. */
export class PayWorld {
  world: World
  /** Owner of the project. */
  ann: Person

  constructor(world: World, ann: Person) {
    this.world = world
    this.ann = ann
  }

  /** Creates a payment. */
  create = (amount: number, more: object = {}) =>
    this.world.api(
      payments.create,
      { project_id: this.ann.projectId, type: 'topup', amount, ...more },
      { as: this.ann },
    )

  /** Begins a payment at its provider. @returns the address of its page */
  redirect = async (payment_id: number): Promise<string> =>
    (await this.world.api(paySystems.create, { payment_id }, { as: this.ann })).body.redirect_url

  get = async (payId: number) =>
    (await this.world.api(payments.get, { project_id: this.ann.projectId, payId }, { as: this.ann })).body

  /** Returns the paid-in balance, minor units. */
  paid = async (): Promise<number> => (await getBalance(this.world.app.db, this.ann.projectId)).payment

  /** Returns the debt, minor units. */
  debt = (): Promise<number> => getDebt(this.world.app.db, this.ann.projectId)

  /** Checks every payment that is due. @param rules of the settlement, default: those of the service */
  checked = (rules?: typeof settlement) => runChecks(this.world.services, rules)

  /** Lets time pass. Tokens expire meanwhile. */
  async pass(ms: number): Promise<void> {
    await pass(this.world, ms)
    this.ann = await this.world.signIn(this.ann)
  }
}

/** Makes a replica die in a call to a double. @returns when the call has arrived */
export async function killIn(
  double: { hang: Hang | null; readonly hung: readonly unknown[] },
  hang: Hang,
  act: () => Promise<unknown>,
): Promise<void> {
  const before = double.hung.length
  double.hang = hang
  act().catch(() => undefined)
  await eventually(() => double.hung.length > before)
}

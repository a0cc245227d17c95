// State of the model of billing: plain objects.
import { byCurrency, type Currency } from '#contract/entities/currencies.ts'

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

/** An amount in each currency, minor units. */
export type Amounts = Record<Currency, number>

/** Payments as the provider has them, all in dollars, and the money that the project spent and got beside them. */
export interface Model {
  readonly payments: ModelPayment[]
  /** Quoted totals of all purchases, less refunds. */
  readonly sales: Amounts
  readonly promos: Amounts
  /** Payouts that wait or were sent. */
  readonly payouts: Amounts
}

const nothing = (): Amounts => byCurrency(() => 0)

/** Returns the model of a new project. */
export const newModel = (): Model => ({ payments: [], sales: nothing(), promos: nothing(), payouts: nothing() })

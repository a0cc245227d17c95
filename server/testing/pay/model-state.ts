// State of the model of billing: plain objects.
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

/** Payments as the provider has them, and the money that the project spent and got beside them, minor units. */
export interface Model {
  readonly payments: ModelPayment[]
  /** Quoted totals of all purchases, less refunds. */
  sales: number
  promos: number
  /** Payouts that wait or were sent. */
  payouts: number
}

/** Returns the model of a new project. */
export const newModel = (): Model => ({ payments: [], sales: 0, promos: 0, payouts: 0 })

// Arithmetic of a project's balance: pure, in minor units (kopecks, cents), integers only.

/**
 * The types of a balance in the order in which they are spent: `bonus` first, because it pays for plans only; `profit` last,
 * because it can be paid out. Wire numbers 1, 2, 3 (published `balance_type`).
 */
export const balanceTypes = ['bonus', 'payment', 'profit'] as const
export type BalanceType = (typeof balanceTypes)[number]
/** An amount by balance type, minor units. */
export type Balance = Readonly<Record<BalanceType, number>>

export const emptyBalance: Balance = { bonus: 0, payment: 0, profit: 0 }

/** Returns the sum over all types, or over some. */
export const sumOf = (amount: Balance, types: readonly BalanceType[] = balanceTypes): number =>
  types.reduce((sum, type) => sum + amount[type], 0)

/** Adds type by type. */
export const plus = (a: Balance, b: Balance): Balance => eachType((type) => a[type] + b[type])

/**
 * Takes an amount out of a balance in spending order.
 * @param types types that may be spent
 * @returns the part of each type, or null when the balance is too low
 * @example spend({ bonus: 500, payment: 800, profit: 0 }, 700) // { bonus: 500, payment: 200, profit: 0 }
 */
export function spend(balance: Balance, amount: number, types: readonly BalanceType[] = balanceTypes): Balance | null {
  let left = amount
  const taken = eachType((type) => {
    const part = types.includes(type) ? Math.min(balance[type], left) : 0
    left -= part
    return part
  })
  return left === 0 ? taken : null
}

/**
 * Returns the part `numerator / denominator` of an amount, each type rounded down to the minor unit.
 * The whole (`numerator = denominator`) is exact.
 */
export const shareOf = (amount: Balance, numerator: number, denominator: number): Balance =>
  eachType((type) => Math.floor((amount[type] * numerator) / denominator))

function eachType(value: (type: BalanceType) => number): Balance {
  return { bonus: value('bonus'), payment: value('payment'), profit: value('profit') }
}

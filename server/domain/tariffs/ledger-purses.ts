// Arithmetic of the three purses of a project: pure, in minor units (kopecks, cents), whole numbers only.

/**
 * The purses in the order in which they are spent: `bonus` first, because it can be used for nothing else; `profit`
 * last, because it is what a project may have paid out. Wire numbers 1, 2, 3 (published `balance_type`).
 */
export const purses = ['bonus', 'payment', 'profit'] as const
export type Purse = (typeof purses)[number]
/** An amount by purse, minor units. */
export type Purses = Readonly<Record<Purse, number>>

export const emptyPurses: Purses = { bonus: 0, payment: 0, profit: 0 }

/** The sum over all purses. */
export const sumOf = (amount: Purses): number => purses.reduce((sum, purse) => sum + amount[purse], 0)

/** Purse by purse sum. */
export const plus = (a: Purses, b: Purses): Purses => eachPurse((purse) => a[purse] + b[purse])

/**
 * Takes an amount out of the purses in spending order.
 * @returns what each purse gives, or null when together they hold less
 * @example spend({ bonus: 500, payment: 800, profit: 0 }, 700) // { bonus: 500, payment: 200, profit: 0 }
 */
export function spend(balance: Purses, amount: number): Purses | null {
  let left = amount
  const taken = eachPurse((purse) => {
    const part = Math.min(balance[purse], left)
    left -= part
    return part
  })
  return left === 0 ? taken : null
}

/**
 * The part `numerator / denominator` of an amount, purse by purse, each rounded down to the minor unit.
 * The whole (`numerator = denominator`) is exact.
 */
export const shareOf = (amount: Purses, numerator: number, denominator: number): Purses =>
  eachPurse((purse) => Math.floor((amount[purse] * numerator) / denominator))

function eachPurse(value: (purse: Purse) => number): Purses {
  return { bonus: value('bonus'), payment: value('payment'), profit: value('profit') }
}

// The change of the currency of a project, and the exchange of its balance. Pure.
import type { Currency } from '#contract/entities/project.ts'
import { type Balance, balanceTypes, sumOf } from './balance.ts'

/** Facts that decide whether a project may change its currency. */
export interface CurrencyUse {
  readonly from: Currency
  readonly to: Currency
  /** Minor units of `from`. */
  readonly held: Balance
  /** Minor units that the project owes. */
  readonly debt: number
  /** Plans that run or are queued. */
  readonly openTerms: number
  readonly pendingPayments: number
  /** Exchange rate of the operator from `from` to `to`; null: none. */
  readonly rate: Rate | null
}

/** Minor units of one currency for minor units of another, as a fraction of integers: it multiplies without a loss. */
export interface Rate {
  readonly numerator: number
  readonly denominator: number
}

/** Minor units in a whole unit of every currency. */
const minorInUnit = 100

/** Returns the rate of a currency of which a whole unit costs `minor` minor units of the other. */
export const rateOf = (minor: number): Rate => ({ numerator: minor, denominator: minorInUnit })

/** Returns the minor units that a whole unit costs, rounded down. */
export const minorOf = ({ numerator, denominator }: Rate): number => Math.floor((numerator * minorInUnit) / denominator)

/** Returns the rate of the other direction. */
export const inverseOf = ({ numerator, denominator }: Rate): Rate => ({
  numerator: denominator,
  denominator: numerator,
})

/** Result of a change of currency. `exchange`: units of the new currency for one of the old. */
export type CurrencyChange =
  | { readonly outcome: 'same' | 'switched'; readonly exchange: 1; readonly balance: Balance }
  | { readonly outcome: 'exchanged'; readonly exchange: number; readonly balance: Balance }
  | { readonly outcome: 'in-use'; readonly reasons: readonly ('plans' | 'payments' | 'debt' | 'money')[] }

/**
 * Decides a change of currency. Plans, pending payments and a debt forbid it; money forbids it without an exchange rate.
 * The balance after an exchange is rounded down to the minor unit, by balance type.
 */
export function changeCurrency(use: CurrencyUse): CurrencyChange {
  const { from, to, held, debt, openTerms, pendingPayments, rate } = use
  if (from === to) return { outcome: 'same', exchange: 1, balance: held }
  const hasMoney = sumOf(held) > 0
  const reasons = [
    ...(openTerms > 0 ? (['plans'] as const) : []),
    ...(pendingPayments > 0 ? (['payments'] as const) : []),
    ...(debt > 0 ? (['debt'] as const) : []),
    ...(hasMoney && rate === null ? (['money'] as const) : []),
  ]
  if (reasons.length > 0) return { outcome: 'in-use', reasons }
  if (!hasMoney || rate === null) return { outcome: 'switched', exchange: 1, balance: held }
  return { outcome: 'exchanged', exchange: rate.numerator / rate.denominator, balance: scaled(held, rate) }
}

/** Multiplies by a rate, rounded down. BigInt, because the product may exceed the safe integers. */
function scaled(amount: Balance, { numerator, denominator }: Rate): Balance {
  const one = (minor: number) => Number((BigInt(minor) * BigInt(numerator)) / BigInt(denominator))
  return Object.fromEntries(balanceTypes.map((type) => [type, one(amount[type])])) as Record<keyof Balance, number>
}

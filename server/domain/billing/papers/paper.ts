// A paper: receipt, invoice or credit note. Pure: what it contains when it is issued, which never changes afterwards.
import type { Currency } from '#contract/entities/project.ts'
import type { Period } from '#contract/entities/plan.ts'

/** Kinds of paper, with the letter of their numbers. */
export const paperKinds = { receipt: 'R', invoice: 'I', credit_note: 'C' } as const
export type PaperKind = keyof typeof paperKinds

/** Seller or buyer. Empty texts are left out when shown. */
export interface Party {
  readonly name: string
  readonly email: string
  readonly taxId: string
  /** Lines of the address, without the country. */
  readonly address: readonly string[]
  /** ISO 3166-1 alpha-2; empty: unknown. */
  readonly country: string
}

/** Content of a paper without its number, independent of language. Amounts in minor units, above zero. */
export interface PaperContent {
  readonly kind: PaperKind
  /** Time of issue, ISO 8601. */
  readonly date: string
  readonly currency: Currency
  readonly seller: Party
  readonly buyer: Party
  readonly items: readonly PaperItem[]
  readonly totalMinor: number
  /** Tax that the total includes; null: none. */
  readonly tax: { readonly label: string; readonly percentHundredths: number; readonly amountMinor: number } | null
  /** The buyer accounts for the tax. Papers of earlier releases do not have the three fields below. */
  readonly reverseCharge?: boolean
  /** Period of the plan that was bought. */
  readonly service?: { readonly start: string; readonly end: string }
  /** Bank transfer of an invoice, whose reference is the number of the paper: lines of the account, and date of payment. */
  readonly transfer?: { readonly account: readonly string[]; readonly due: string }
  /** Payment provider by name. */
  readonly provider: string
  /** Number of the paper that a credit note corrects; null: none. */
  readonly corrects: string | null
}

/** A frozen paper. */
export interface Paper extends PaperContent {
  /** For example `R-2026-000012`. */
  readonly number: string
}

/** A line of a paper. */
export interface PaperItem {
  readonly what: 'topup' | 'restream' | 'transcoding' | 'storage'
  /** Title of the plan; null for a top-up. */
  readonly title: string | null
  readonly period: Period | null
  readonly amountMinor: number
}

/** Series of a kind in a year (UTC). Its numbers have no gap. @example seriesOf('receipt', '2026-03-01T…') // 'R-2026' */
export const seriesOf = (kind: PaperKind, date: string): string => `${paperKinds[kind]}-${date.slice(0, 4)}`

/** Number as printed. @example numberOf('R-2026', 12) // 'R-2026-000012' */
export const numberOf = (series: string, number: number): string => `${series}-${String(number).padStart(6, '0')}`

/** Tax that an amount includes, minor units, half up. @param percentHundredths 2000 for 20 % */
export function includedTax(totalMinor: number, percentHundredths: number): number {
  const whole = 10_000n + BigInt(percentHundredths)
  const net = (BigInt(totalMinor) * 10_000n * 2n + whole) / (whole * 2n)
  return totalMinor - Number(net)
}

// Money of a project: balance types, and the types of movements.
import * as z from 'zod/mini'
import { DateTime } from '#contract/core/lenient.ts'
import { Currency } from './project.ts'

/** Types of a movement in the published order (`money_flow/list` takes a name, or the place in this list from 1). */
export const publishedMoneyFlows = [
  'registration_bonus',
  'plan_restream_buy',
  'plan_transcoding_buy',
  'plan_storage_buy',
  'channel_story_buy',
  'channel_shop_sell',
  'referral_profit',
  'payment',
  'payment_cancel',
  'payout',
  'payout_cancel',
  'refund',
  'conversion',
  'withdrawal',
  'transferred_of_old_site',
  'accrued_admin',
  'reduced_admin',
  'promo_topup_1',
  'promo_topup_2',
  'promo_create_plan_restream_1',
  'promo_create_plan_restream_2',
] as const

/** All types: the published ones, and ours after them (docs/differences.md). */
export const moneyFlows = [
  ...publishedMoneyFlows,
  'promo_create_plan_transcoding_1',
  'promo_create_plan_storage_1',
  'transfer',
] as const
export const MoneyFlowType = z.enum(moneyFlows)
export type MoneyFlowType = z.output<typeof MoneyFlowType>

/** Balance types in the order of their wire numbers 1, 2, 3, and 4 for a debt, which is ours: a balance below zero. */
export const balanceTypeNames = ['bonus', 'payment', 'profit', 'debt'] as const
/** Wire number of a balance type. */
export const BalanceTypeId = z.literal([1, 2, 3, 4])

/**
 * A filter as a comma-separated list of names or of places in the list of names, from 1; empty matches all (published).
 * The handler reads it with `chosenOf`.
 */
export const choiceList = (names: readonly string[]) =>
  z.optional(
    z.string().check(
      z.maxLength(1000),
      z.refine((text) => chosenOf(text, names) !== null, { error: `must be a list of: ${names.join(', ')}` }),
    ),
  )

/**
 * Reads a filter of `choiceList`.
 * @returns the chosen names; empty when the filter matches all; null when it names something unknown
 * @example chosenOf('payment,7', moneyFlows) // ['payment', 'referral_profit']
 */
export function chosenOf<T extends string>(text: string | undefined, names: readonly T[]): readonly T[] | null {
  const parts = (text ?? '').split(',').flatMap((part) => part.trim() || [])
  const found = parts.map((part) => names.find((name, at) => name === part || String(at + 1) === part))
  return found.includes(undefined) ? null : (found as T[])
}

/** Types of promo codes: credit of the bonus balance, a plan of a line, or a lower price of a purchase. */
export const promoTypes = ['top_up', 'restream', 'transcoding', 'storage', 'percent', 'fixed'] as const
export const PromoType = z.enum(promoTypes)
export type PromoType = z.output<typeof PromoType>

/** Promo code that lowers the price of a purchase: a parameter of quotes, purchases and payments that is ours. */
export const promoCode = z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(64)))

/** States of a payout: waiting for the operator, sent, refused by the operator, or cancelled by the project. */
export const PayoutStatus = z.enum(['waiting', 'sent', 'refused', 'cancelled'])
export type PayoutStatus = z.output<typeof PayoutStatus>

/** A payout, as its project and the operator see it. Amounts are minor units. */
export const PayoutFacts = z.object({
  payout_id: z.int(),
  amount: z.int(),
  commission: z.int(),
  currency: Currency,
  wallet: z.string(),
  status: PayoutStatus,
  reference: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  date_create: DateTime,
  date_end: z.nullable(DateTime),
})

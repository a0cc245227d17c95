// Money of a project: balance types, and the types of movements.
import * as z from 'zod/mini'

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

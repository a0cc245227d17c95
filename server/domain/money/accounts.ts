// Movement types that the service books, and the counter account of each. Accounts beside the balance types of a project:
//
// `clearing.<provider>`  money at a payment provider: negative by what its customers have paid in
// `sales`       plans sold, less refunds
// `referrals`   earned by inviting customers, less reversals
// `promos`      credited by promo codes
// `payouts`     paid out, or held for a payout
// `grants`      given or taken by the operator
// `exchange`    conversions between currencies: one transaction in each
// `transfers`   moved between projects of one owner: one transaction in each
// `receivable`  debts of projects, as a second entry of `payment`, `payment_cancel` and `referral_profit`: negative by
//               what is owed
import type { MoneyFlowType } from '#contract/entities/money.ts'

type Account = 'clearing' | 'sales' | 'referrals' | 'promos' | 'payouts' | 'grants' | 'exchange' | 'transfers'

const counterAccount = {
  registration_bonus: 'grants',
  accrued_admin: 'grants',
  reduced_admin: 'grants',
  payment: 'clearing',
  payment_cancel: 'clearing',
  plan_restream_buy: 'sales',
  plan_transcoding_buy: 'sales',
  plan_storage_buy: 'sales',
  refund: 'sales',
  referral_profit: 'referrals',
  promo_topup_1: 'promos',
  promo_create_plan_restream_1: 'promos',
  promo_create_plan_transcoding_1: 'promos',
  promo_create_plan_storage_1: 'promos',
  payout: 'payouts',
  payout_cancel: 'payouts',
  conversion: 'exchange',
  transfer: 'transfers',
} as const satisfies Partial<Record<MoneyFlowType, Account>>

/** Purpose of a movement that the service books, by its wire name (`money_flow` types). */
export type MoneyFlow = keyof typeof counterAccount

/** All types that the service books. */
export const bookedFlows = Object.keys(counterAccount) as readonly MoneyFlow[]

/**
 * Returns the counter account of a movement.
 * @param provider name of the payment provider, for `payment` and `payment_cancel` only
 * @throws Error when a payment has no provider, or another movement has one
 */
export function counterAccountOf(flow: MoneyFlow, provider?: string): string {
  const account = counterAccount[flow]
  if ((account === 'clearing') !== (provider !== undefined)) {
    throw new Error(`${flow} ${provider === undefined ? 'needs a provider' : `has the provider '${provider}'`}`)
  }
  return provider === undefined ? account : `${account}.${provider}`
}

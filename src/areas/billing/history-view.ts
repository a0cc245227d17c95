// Filters and page of the movements of money, stored in the URL.
import type { moneyFlow } from '#contract/areas/billing/money-flow.ts'
import type { Input } from '#contract/core/operation.ts'
import { type Days, momentsOf, readDays } from '#src/lib/days.ts'
import { pageOf, paramsOf, windowOf } from '#src/lib/page-params.ts'

/** Rows on one page. */
export const pageSize = 50

/** Filters by purpose: each covers one or more movement types of the wire. */
const purposes = {
  payment: 'payment,payment_cancel',
  plans: 'plan_restream_buy,plan_transcoding_buy,plan_storage_buy',
  refund: 'refund',
  bonus: 'registration_bonus,promo_topup_1,promo_topup_2',
  referral: 'referral_profit',
  payout: 'payout,payout_cancel,withdrawal',
  transfer: 'transfer,conversion',
  operator: 'accrued_admin,reduced_admin',
} as const
export type Purpose = keyof typeof purposes
export const purposeNames = Object.keys(purposes) as readonly Purpose[]

/** Names of the balance types by their wire numbers 1, 2, 3, and 4 for a debt. */
export const typeNames = ['bonus', 'payment', 'profit', 'debt'] as const
type TypeName = (typeof typeNames)[number]

/** Page numbers start at 1. */
export interface View extends Days {
  readonly purpose: Purpose | ''
  readonly balance: TypeName | ''
  readonly page: number
}

/** Reads the view from the URL; invalid values fall back to defaults. */
export function readView(params: URLSearchParams): View {
  return {
    purpose: purposeNames.find((name) => name === params.get('purpose')) ?? '',
    balance: typeNames.find((name) => name === params.get('balance')) ?? '',
    ...readDays(params),
    page: pageOf(params),
  }
}

/** The view as URL parameters without defaults. A changed filter returns to page 1. */
export const writeView = (view: View, change: Partial<View>): URLSearchParams =>
  paramsOf({ ...view, page: 1, ...change })

/** Returns whether any filter is set. */
export const isNarrow = ({ purpose, balance, from, to }: View): boolean => Boolean(purpose || balance || from || to)

/** The view as input of the operation. */
export const askOf = (
  projectId: number,
  { purpose, balance, page, ...days }: View,
  range = windowOf(page, pageSize),
): Input<typeof moneyFlow.list> => ({
  project_id: projectId,
  ...range,
  ...(purpose && { type: purposes[purpose] }),
  ...(balance && { balance_type: String(typeNames.indexOf(balance) + 1) }),
  ...momentsOf(days),
})

// Tables of promo codes, payouts and referrals. Money in minor units, times as ISO 8601 text in UTC.
import type { Generated } from 'kysely'
import type { PayoutStatus, PromoType } from '#contract/entities/money.ts'
import type { Currency } from '#contract/entities/project.ts'

export interface PromoTables {
  promo_codes: {
    id: Generated<number>
    /** Upper case. */
    code: string
    name: string
    type: PromoType
    /** Plan that the code gives, as JSON; null for other types. */
    plan: string | null
    /** Percent off the price of a purchase (migration 0076); null for other types. */
    percent: number | null
    /** Null: no limit. */
    uses_max: number | null
    uses: Generated<number>
    /** Exclusive end of its validity; null: none. */
    date_until: string | null
    /** Time when the operator ended it. */
    date_end: string | null
    date_create: string
  }
  /** Amount of a code for `top_up` and `fixed`; it does not work in a currency without a row. */
  promo_amounts: { promo_id: number; currency: Currency; minor: number }
  promo_uses: { promo_id: number; project_id: number; user_id: number; date_create: string }
  /** Ways to pay out, defined by the operator. */
  payout_ways: {
    id: Generated<number>
    title: string
    description: string
    currency: Currency
    /** Hundredths of a percent, or minor units. */
    commission: number
    commission_type: 'percent' | 'fix'
    min_minor: number
    max_minor: number
    active: 0 | 1
  }
  payouts: {
    id: Generated<number>
    project_id: number
    user_id: number
    way_id: number
    currency: Currency
    /** Amount taken from the balance, and the part of it that the commission is. */
    amount_minor: number
    commission_minor: number
    /** Account of the recipient, encrypted. */
    wallet_sealed: string
    wallet_masked: string
    status: PayoutStatus
    /** Reference of the transfer that the operator entered. */
    reference: string | null
    /** Reason of a refusal. */
    reason: string | null
    idempotency_key: string | null
    date_create: string
    date_end: string | null
  }
  /** One row, `id` 1; no row: 0 percent. */
  referral_settings: { id: number; percent_hundredths: number }
  /** Earning of one payment of an invited user. `currency` is that of the payment. */
  referral_earnings: {
    id: Generated<number>
    payment_id: number
    /** Project that earns. */
    project_id: number
    percent_hundredths: number
    currency: Currency
    /** Booked amount in the currency of the payment. */
    booked_minor: Generated<number>
    /** Time from which it is booked. */
    date_due: string
  }
}

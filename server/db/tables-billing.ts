// Tables of payments. Money in minor units, times as ISO 8601 text in UTC.
import type { Generated } from 'kysely'
import type { Period } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'

type Flag = 0 | 1

export interface PaymentTables {
  payments: {
    id: Generated<number>
    /** Idempotency key at the provider, and the name of the payment in its metadata. */
    uuid: string
    project_id: number
    /** User that started the payment; null for a renewal. */
    user_id: number | null
    provider: string
    pay_system_id: number
    currency: Currency
    amount_minor: number
    /** `topup`, or the plan line that is bought when the payment succeeds. */
    type: 'topup' | 'restream' | 'transcoding' | 'storage'
    /** Purchase that follows, as JSON; null for a top-up. */
    plan: string | null
    period: Period | null
    title: string | null
    /** Total of the quote that the payment holds, and the moment of the quote. */
    quote_total: number | null
    date_quote: string | null
    /** Saved method that is charged; null: the customer chooses at the provider. */
    method_id: number | null
    /** 1: save the method for renewals. */
    save: Generated<Flag>
    status: 'pending' | 'success' | 'error' | 'cancel'
    /** Reason of a status, as the provider's code. */
    reason: string | null
    /** Difference that the operator has to resolve, as JSON: another amount or currency. */
    review: string | null
    /** Outcome of the purchase, as JSON; null before it, and for top-ups. */
    purchase: string | null
    /** Id of the payment at the provider, and a second one under which it sends events. */
    pay_id: string | null
    pay_ref: string | null
    /** Address where the customer pays, encrypted. */
    redirect_sealed: string | null
    /** Booked amount; 0: not booked. */
    credited_minor: Generated<number>
    fee_minor: number | null
    /** Unique per project: a key pays once. */
    idempotency_key: string | null
    request: string | null
    date_create: string
    /** First call to the provider. Providers forget keys after a day. */
    date_begin: string | null
    date_end: string | null
    /** Not null: versions before the job table have scheduled a look. The next look clears it. */
    date_look: string | null
    /** Time of the last look. */
    date_seen: string | null
    looks: Generated<number>
    /** Unused since the job table. */
    hints: Generated<number>
  }
  payment_methods: {
    id: Generated<number>
    project_id: number
    provider: string
    token_sealed: string
    /** Keyed hash of the token, so that a method is saved once. */
    token_hash: string
    /** For people, for example `Visa •••• 4242`. */
    title: string
    /** `YYYY-MM`; null: unknown. */
    expires: string | null
    is_default: Generated<Flag>
    date_create: string
    date_remove: string | null
  }
  payment_refunds: {
    id: Generated<number>
    /** Idempotency key at the provider. */
    uuid: string
    payment_id: number
    /** Operator that requested it; null: made at the provider. */
    user_id: number | null
    provider_id: string | null
    requested_minor: number
    /** Booked amounts: taken from the project, and returned after the refund failed. */
    taken_minor: Generated<number>
    returned_minor: Generated<number>
    /** Part that its receipt returns as an advance (54-FZ); null: all of a top-up. */
    advance_minor: number | null
    /** Advances that it took, less those that came back, as JSON; null: none. */
    advance_parts: string | null
    /** `sent`: the provider has not decided, or no look has shown the refund; `unclear`: for 30 days, a case of the operator. */
    state: 'requested' | 'sent' | 'unclear' | 'booked' | 'failed'
    reason: string | null
    date_create: string
  }
  payment_disputes: {
    id: Generated<number>
    payment_id: number
    provider_id: string
    /** Booked amounts. */
    withdrawn_minor: Generated<number>
    reinstated_minor: Generated<number>
    /** As in `payment_refunds`. */
    advance_parts: string | null
    status: 'open' | 'won' | 'lost'
    date_create: string
    date_update: string
  }
  /** Webhook messages, kept for 90 days. */
  payment_events: {
    id: Generated<number>
    provider: string
    event_id: string
    payment_id: number | null
    body: string
    /** Number of deliveries. */
    times: Generated<number>
    date_create: string
  }
  /** Customer of a project at a provider. */
  payment_customers: { project_id: number; provider: string; customer: string }
  /** State of each provider, for reconciliation and the operator's Health page. */
  pay_providers: {
    provider: string
    date_event: string | null
    date_reconciled: string | null
    /** Differences that the last reconciliation found. */
    mismatches: Generated<number>
    unknown_events: Generated<number>
  }
  /** State of manual invoices, which the operator changes. */
  invoices: { payment_id: number; paid_minor: Generated<number>; withdrawn: Generated<Flag> }
  invoice_refunds: { key: string; payment_id: number; amount_minor: number }
}

// Tables of advances and their closing receipts by 54-FZ. Money in minor units, times as ISO 8601 text in UTC.
import type { Generated } from 'kysely'

export interface AdvanceTables {
  /** Part of a project in an advance: a payment whose receipt names no plan yet. */
  advances: {
    id: Generated<number>
    project_id: number
    payment_id: number
    /** Still in the paid-in balance. */
    left_minor: number
  }
  /** Receipts that close an advance: one for each purchase and payment. */
  closing_receipts: {
    id: Generated<number>
    /** Idempotency key at the provider. */
    key: string
    project_id: number
    /** Payment of the advance. */
    payment_id: number
    /** Purchase in the ledger. */
    transaction_id: number
    amount_minor: number
    /**
     * `waiting`: to send. `sent`: not registered yet. `done`: registered. `refused`: waits for the operator. `by_hand`: the
     * operator has made the receipt elsewhere.
     */
    state: 'waiting' | 'sent' | 'done' | 'refused' | 'by_hand'
    /** Reason of `refused`. */
    reason: string | null
    /** Request, from the first call to its end: each repetition sends the same. Has the e-mail of the customer. */
    body: string | null
    /** Id at the provider. */
    provider_id: string | null
    /** Calls without a final answer. */
    tries: Generated<number>
    date_create: string
    /** First call with the key. */
    date_begin: string | null
  }
}

// Port of payment providers: calls of the service, and the state of a payment at its provider.
import type { IncomingHttpHeaders } from 'node:http'
import type { Selectable } from 'kysely'
import type { Currency } from '#contract/entities/project.ts'
import type { PaymentTables } from '#server/db/tables-billing.ts'
import type { Services } from '#server/core/context.ts'

/** A closing receipt at its provider. `canceled`: it cannot be registered. */
export interface ProviderReceipt {
  readonly id: string
  readonly status: 'pending' | 'succeeded' | 'canceled'
  /** Sum of its settlements, minor units. */
  readonly amountMinor: number
  /** True: it closes an advance. */
  readonly isClosing: boolean
}

/** Tax system and VAT code of the operator (54-FZ); null: not set. */
export interface TaxCodes {
  readonly tax_system: number | null
  readonly vat_code: number | null
}

/** A purchase that an advance pays for. */
export interface ClosingOf {
  /** Id of the payment at the provider that held the advance. */
  readonly payId: string
  readonly type: PaymentRow['type']
  /** Title of the plan. */
  readonly title: string | null
  readonly amountMinor: number
  readonly email: string
}

/** Closing receipts at a provider. The calls throw as those of `PayProvider`. */
export interface ReceiptPort {
  /** Returns the request of a receipt, JSON; undefined until the operator has set tax system and VAT code. No money moves. */
  requestOf(codes: TaxCodes, closing: ClosingOf): object | undefined
  /**
   * Creates a receipt, or returns that of an earlier call with the same key and body.
   * @param body request as JSON
   */
  create(body: string, key: string): Promise<ProviderReceipt>
  check(id: string): Promise<ProviderReceipt>
  /** Lists the receipts of a payment. */
  list(payId: string): Promise<readonly ProviderReceipt[]>
}

/** A payment as the database keeps it. */
export type PaymentRow = Selectable<PaymentTables['payments']>

/** A way to pay: one provider in one currency. Amounts in minor units. */
export interface PaySystem {
  /** Wire `pay_system_id`; never changes. */
  readonly id: number
  readonly currency: Currency
  readonly name: string
  readonly description: string
  readonly minAmount: number
  readonly maxAmount: number
  /** True when a saved method can be charged without the customer. */
  readonly recurrent: boolean
}

/** A saved method as the provider reports it. */
export interface ProviderMethod {
  /** Secret with which the method is charged; for Stripe the payment method and its customer. */
  readonly token: string
  /** For people, for example `Visa •••• 4242`. */
  readonly title: string
  /** `YYYY-MM`; null: unknown. */
  readonly expires: string | null
}

/** A refund as the provider reports it. Both amounts only grow. */
export interface ProviderRefund {
  readonly id: string
  /** Our key of the refund (`payment_refunds.uuid`); null for one that was made at the provider. */
  readonly key: string | null
  readonly takenMinor: number
  /** Equal to `takenMinor` when the refund failed; otherwise 0. */
  readonly returnedMinor: number
  /** Currency of both amounts; absent: that of the payment. */
  readonly currency?: string
  /** True: the provider has not decided, so that the refund may still fail. */
  readonly isPending?: boolean
}

/** A dispute (chargeback) as the provider reports it. Both amounts only grow. */
export interface ProviderDispute {
  readonly id: string
  readonly withdrawnMinor: number
  readonly reinstatedMinor: number
  readonly status: 'open' | 'won' | 'lost'
  /** Currency of both amounts; absent: that of the payment. */
  readonly currency?: string
}

/** State of a payment at its provider. */
export interface ProviderPayment {
  readonly payId: string
  /** Second id under which the provider sends events; null without one. */
  readonly payRef: string | null
  /** Our name of the payment in the provider's metadata (`payments.uuid`); null: not ours. */
  readonly uuid: string | null
  /** `approved`: the customer has agreed, and `capture` takes the money. */
  readonly status: 'pending' | 'approved' | 'success' | 'error' | 'cancel'
  /** Reason of `error`, as the provider's code. */
  readonly reason: string | null
  /** Amount that was paid, minor units; before success the requested amount. */
  readonly amountMinor: number
  readonly currency: string
  readonly feeMinor: number | null
  /** Method that the customer agreed to save; null: none. */
  readonly method: ProviderMethod | null
  /** Page where the customer confirms a pending payment (3DS); null: none. */
  readonly actionUrl: string | null
  readonly refunds: readonly ProviderRefund[]
  readonly disputes: readonly ProviderDispute[]
  /** True: the provider has received a receipt by 54-FZ with the payment. Of a top-up it is an advance. */
  readonly hasReceipt?: boolean
  /** True: refunds and disputes may report the same money, and together take at most what was paid. */
  readonly isCapped?: boolean
  /** Why disputes are missing in the report: it is settled without them, and the payment is checked again. */
  readonly missed?: Error
}

/** A step that brings the booked state of a payment to what the provider reports. Amounts in minor units, above zero. */
export type Move =
  | { readonly kind: 'credit'; readonly amountMinor: number; readonly feeMinor: number | null }
  | { readonly kind: 'refund' | 'refund-failed'; readonly refund: ProviderRefund; readonly amountMinor: number }
  | { readonly kind: 'withdraw' | 'reinstate'; readonly dispute: ProviderDispute; readonly amountMinor: number }
  | { readonly kind: 'end'; readonly status: 'error' | 'cancel'; readonly reason: string | null }
  | {
      readonly kind: 'review'
      /**
       * `return`: a refund or dispute that cannot be booked; `reinstated`: one that gave its money back. The others are money
       * that arrived.
       */
      readonly reason: 'amount' | 'currency' | 'return' | 'reinstated'
      /** In hundredths, also of a currency without decimals. */
      readonly amountMinor: number
      readonly currency: string
      /** Of `return` and `reinstated`: amounts of returns in all cases of the payment. */
      readonly returns?: readonly CaseReturn[]
    }

/** A step of a refund or dispute. */
export type ReturnMove = Extract<Move, { readonly refund: ProviderRefund } | { readonly dispute: ProviderDispute }>

/** Amounts of a refund or dispute that a case of the operator has. */
export interface CaseReturn {
  readonly kind: 'refund' | 'dispute'
  readonly id: string
  readonly currency: string
  readonly takenMinor: number
  readonly returnedMinor: number
}

/** Outcome of charging a saved method. `final`: another try cannot succeed. */
export type Charged = { readonly payId: string | null } & (
  | { readonly outcome: 'done' | 'wait' }
  | {
      readonly outcome: 'declined'
      readonly reason: string
      readonly final: boolean
      /** Page where the customer confirms the payment; null: none. */
      readonly actionUrl: string | null
    }
)

/** Circumstances of a payment that is about to begin. */
export interface Beginning {
  /** Page of the dashboard that the provider returns to. */
  readonly returnUrl: string
  /** Customer of the project at the provider; null: create one if the provider has customers. */
  readonly customer: string | null
  readonly email: string | null
  readonly save: boolean
}

/** A webhook message: an id to store it under, and ids that name its payment (`pay_id`, `pay_ref` or `uuid`). */
export interface WebhookMessage {
  readonly eventId: string
  readonly refs: readonly string[]
}

/** Reads the state of a listed payment; null: it is not ours. Each may fail on its own. */
export type Listed = (() => Promise<ProviderPayment | null>) & {
  /** `payments.uuid` where the list shows a credit and nothing else: a credited payment needs no check. */
  readonly creditOf?: string
}

/** Sender of a webhook message, and a reader of the payments that it may name. */
export interface Sender {
  readonly address: string
  /** Returns the id of the payment that one of the ids names; null: none of this provider. */
  paymentOf(refs: readonly string[]): Promise<number | null>
}

/**
 * A payment provider. Every call but `readWebhook` contacts the provider, and none is made inside a transaction.
 * Calls throw `ProviderUnavailableError` when the outcome is unknown and `ProviderRefusedError` when the provider refused.
 * The idempotency key of `begin` and `charge` is `payment.uuid`.
 */
export interface PayProvider {
  /** Value of `payments.provider`; its counter account is `clearing.<name>`. */
  readonly name: string
  readonly systems: readonly PaySystem[]
  /** Closing receipts of advances (54-FZ); absent: the provider sends none. */
  readonly receipts?: ReceiptPort
  /** Bank details and instructions for customers; absent: the page of the provider has them. */
  readonly instructions?: string
  /** True: `check` reports disputes, so that operators enter none. */
  readonly reportsDisputes?: boolean
  /** Creates the payment at the provider, or returns that of an earlier call with the same key. */
  begin(
    payment: PaymentRow,
    beginning: Beginning,
  ): Promise<{ readonly payId: string; readonly redirectUrl: string; readonly customer: string | null }>
  /** Finds the payment by `payment.uuid` in the provider's metadata, when its key may be forgotten; null: none exists. */
  find(payment: PaymentRow): Promise<string | null>
  /** Charges a saved method without the customer. */
  charge(payment: PaymentRow, method: Pick<ProviderMethod, 'token'>): Promise<Charged>
  /**
   * @param payRef the second id of a payment, `payments.pay_ref`, for providers that forget the first one earlier
   * @throws ProviderRefusedError with 404 when the provider has no such payment (any more)
   */
  check(payId: string, payRef?: string | null): Promise<ProviderPayment>
  /**
   * Takes the money of a payment that `check` reports as `approved`, once. Absent: the provider takes it without a call.
   * @returns the state after it; `error` when the provider declines
   */
  capture?(payment: PaymentRow): Promise<ProviderPayment>
  /** Prevents that a pending payment is paid. Has no effect on one that is paid. */
  cancel(payId: string): Promise<void>
  /**
   * @param key idempotency key, `payment_refunds.uuid`; `check` reports it as the key of the refund
   * @param advanceMinor part that returns an advance (54-FZ); null, or left out: the payment has none
   */
  refund(payment: PaymentRow, amountMinor: number, key: string, advanceMinor?: number | null): Promise<void>
  /** True: `readWebhook` accepts signed messages only, so that their sender is known. */
  readonly signsMessages?: boolean
  /**
   * Verifies a webhook message. Never trusts it beyond the ids.
   * @returns null for a forged one; `ignored` where the verification would cost a call, for one without a payment of ours
   */
  readWebhook(headers: IncomingHttpHeaders, rawBody: Buffer, sender: Sender): Promise<WebhookMessage | 'ignored' | null>
  /**
   * Time after which `since` lists every credited payment, ms: one that is missing then is a mismatch. Null: it never lists
   * all of them.
   */
  readonly listedAfterMs: number | null
  /** Lists payments that the provider created or changed since a time, in any order. */
  since(date: Date): AsyncIterable<Listed>
}

export type PayServices = Pick<Services, 'db' | 'clock' | 'config' | 'log' | 'realtime'>

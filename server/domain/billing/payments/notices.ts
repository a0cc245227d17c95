// Notifications of the owners of a project about its money, written in the transaction that books it.
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import type { Wallet } from '#server/domain/money/ledger.ts'
import { amountText } from '#server/domain/money/decimal.ts'
import type { KindParams } from '#server/domain/notifications/kinds.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import type { PaymentRow } from '#server/domain/billing/providers/provider.ts'
import { findPayment } from './store.ts'

type Part = Pick<Services, 'clock'>
type Payment = Pick<PaymentRow, 'id' | 'project_id' | 'currency'>

/** An amount that entered a balance: what it paid of a debt, and what is left of both. Minor units. */
export interface Arrival {
  readonly amountMinor: number
  readonly before: Pick<Wallet, 'debt'>
  readonly after: Pick<Wallet, 'debt'>
}

/** Returns an arrived amount as text, with the debt that it paid. */
export function arrivalOf({ amountMinor, before, after }: Arrival, currency: string): KindParams['balance_credited'] {
  const debtMinor = before.debt - after.debt
  const text = (minor: number) => (minor > 0 ? amountText(minor, currency) : null)
  return {
    payment_id: null,
    amount: amountText(amountMinor, currency),
    debt: text(debtMinor),
    rest: text(amountMinor - debtMinor),
    owed: text(after.debt),
  }
}

/** Notifies of a credited payment. A renewal reports its own payments. Call it after the purchase that the payment is for. */
export async function noticeCredit(services: Part, trx: Trx, id: number, arrival: Arrival): Promise<void> {
  const payment = await findPayment(trx, id)
  if (!payment || payment.user_id === null) return
  const { project_id: projectId, currency, title, purchase } = payment
  const { outcome } = JSON.parse(purchase ?? '{}') as { readonly outcome?: 'bought' | 'kept' }
  const params = {
    ...arrivalOf(arrival, currency),
    payment_id: id,
    ...(outcome !== undefined && title !== null && { plan: title, outcome }),
  }
  await notify(services, trx, { kind: 'balance_credited', projectId, ref: `payment ${id}`, params })
}

/** Notifies of an issued invoice. */
export async function noticeInvoice(services: Part, trx: Trx, payment: PaymentRow, number: string): Promise<void> {
  const { id, project_id: projectId, currency, amount_minor } = payment
  const params = { payment_id: id, amount: amountText(amount_minor, currency), number }
  await notify(services, trx, { kind: 'invoice_issued', projectId, ref: id, params })
}

/** Notifies of a failed payment. A renewal reports its own payments. */
export async function noticeFailed(services: Part, trx: Trx, payment: PaymentRow): Promise<void> {
  if (payment.user_id === null) return
  const { id, project_id: projectId, currency, amount_minor } = payment
  const params = { payment_id: id, amount: amountText(amount_minor, currency) }
  await notify(services, trx, { kind: 'payment_failed', projectId, ref: id, params })
}

/**
 * Notifies of money of a payment that was refunded, withdrawn or disputed.
 * @param ref names the step: each is reported once
 */
export async function noticeReturn(
  services: Part,
  trx: Trx,
  {
    kind,
    payment: { id, project_id: projectId, currency },
    amountMinor,
    ref,
  }: {
    readonly kind: 'payment_refunded' | 'payment_disputed' | 'payment_dispute_lost'
    readonly payment: Payment
    readonly amountMinor: number
    readonly ref: string
  },
): Promise<void> {
  const params = { payment_id: id, amount: amountText(amountMinor, currency) }
  await notify(services, trx, { kind, projectId, ref: `${id} ${ref}`, params })
}

/** Notifies of money of a payment that came back: a dispute that was won, or a refund that failed. */
export async function noticeBack(
  services: Part,
  trx: Trx,
  {
    kind,
    payment: { id, project_id: projectId, currency },
    arrival,
    ref,
  }: {
    readonly kind: 'payment_dispute_won' | 'payment_refund_failed'
    readonly payment: Payment
    readonly arrival: Arrival
    readonly ref: string
  },
): Promise<void> {
  const params = { ...arrivalOf(arrival, currency), payment_id: id }
  await notify(services, trx, { kind, projectId, ref: `${id} ${ref}`, params })
}

/** Notifies of a debt that a movement has opened or raised. @param ref names the movement */
export async function noticeDebt(
  services: Part,
  trx: Trx,
  { before, after, ref }: { readonly before: Wallet; readonly after: Wallet; readonly ref: string },
): Promise<void> {
  const { projectId, currency, debt } = after
  if (debt <= before.debt) return
  const params = { amount: amountText(debt, currency) }
  await notify(services, trx, { kind: 'debt_opened', projectId, ref, params })
}

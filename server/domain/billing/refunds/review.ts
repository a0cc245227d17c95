// Decisions about money that arrived in another amount than requested, or that a balance could not take, and about refunds
// and disputes in another currency.
import { iso } from '#server/core/clock.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { closeCase } from '#server/domain/notifications/incidents.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import { balanceMaxMinor, book, lockWallet, type Wallet } from '#server/domain/money/ledger.ts'
import { issuePaper } from '#server/domain/billing/papers/papers.ts'
import { noticeCredit } from '#server/domain/billing/payments/notices.ts'
import { lockPayment, updatePayment } from '#server/domain/billing/payments/store.ts'
import type { PaymentRow, PayServices } from '#server/domain/billing/providers/provider.ts'
import { publishPayment } from '#server/domain/billing/payments/present.ts'
import { isInReview, parseReview, type Review, reviewLeft } from '#server/domain/billing/payments/review-case.ts'
import { scheduleCheck } from '#server/domain/billing/payments/schedule.ts'

/**
 * Credits what arrived for a payment to the paid-in balance, or leaves it at the provider. Buys no plan. A refund or dispute
 * can only be left: the payment stays credited.
 * @param isBooked false: leaves the money; a payment that is not credited ends as `error`
 * @param noted called in the transaction of the decision
 * @throws RuleError `NoReview`; `ReviewCurrency` when payment, money and project differ in currency; `BalanceTooHigh`
 */
export async function resolveReview(
  services: PayServices,
  { id, project_id: projectId }: Pick<PaymentRow, 'id' | 'project_id'>,
  isBooked: boolean,
  noted: (trx: Trx, arrived: Review) => Promise<void>,
): Promise<void> {
  await projectTransaction(services.db, projectId, async (trx) => {
    const wallet = await lockWallet(trx, projectId)
    const payment = await lockPayment(trx, id)
    if (payment.review === null || !isInReview(payment)) throw new RuleError('NoReview')
    const arrived = parseReview(payment.review)
    await noted(trx, arrived)
    await closeCase(services, trx, { kind: 'operator_review', ref: id })
    if (payment.credited_minor > 0) await leaveReturn(trx, payment, isBooked)
    else if (isBooked) await credit(services, trx, { wallet, payment, arrived })
    else await updatePayment(trx, id, { status: 'error', reason: reviewLeft, date_end: iso(services.clock.now()) })
  })
  await publishPayment(services, id)
}

/** Notes that the operator has seen a refund or dispute which the service cannot book. A check opens the next case. */
async function leaveReturn(trx: Trx, { id }: PaymentRow, isBooked: boolean): Promise<void> {
  if (isBooked) throw new RuleError('ReviewCurrency_refund')
  await updatePayment(trx, id, { reason: reviewLeft })
  await scheduleCheck(trx, id)
}

interface Credit {
  readonly wallet: Wallet
  readonly payment: PaymentRow
  readonly arrived: Review
}

async function credit(services: PayServices, trx: Trx, { wallet, payment, arrived }: Credit): Promise<void> {
  const { amount, currency } = arrived
  if (currency !== payment.currency || payment.currency !== wallet.currency) throw new RuleError('ReviewCurrency')
  if (wallet.held.payment + amount > balanceMaxMinor) throw new RuleError('BalanceTooHigh', { max: balanceMaxMinor })
  const { id, uuid, provider, project_id: projectId, user_id: userId } = payment
  const now = iso(services.clock.now())
  const links = { payment_id: id, ...(userId === null ? {} : { user_id: userId }) }
  const change = { ...emptyBalance, payment: amount }
  // The key of a settled payment: the money of a payment is credited once.
  const { wallet: after } = await book(trx, now, wallet, {
    type: 'payment',
    currency,
    change,
    provider,
    links,
    key: `payment:${uuid}`,
  })
  await updatePayment(trx, id, {
    status: 'success',
    reason: null,
    review: null,
    credited_minor: amount,
    date_end: now,
    ...(payment.plan !== null && { purchase: JSON.stringify({ outcome: 'kept', reason: 'AmountDiffers' }) }),
  })
  const details = { amount, currency, payment_id: id }
  await recordHistory(services, trx, { projectId, userId, action: 'payment_received', details })
  await noticeCredit(services, trx, id, { amountMinor: amount, before: wallet, after })
  await issuePaper(trx, services, { kind: 'receipt', source: `credit ${id}`, payment, amountMinor: amount })
}

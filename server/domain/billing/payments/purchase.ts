// Purchase of a plan by payment: the payment holds its quote, and the plan is bought in the transaction that credits it.
import { iso, later } from '#server/core/clock.ts'
import { AppError, RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { undoable } from '#server/db/transaction.ts'
import { lineDetails, recordHistory } from '#server/domain/projects/history.ts'
import { sumOf } from '#server/domain/money/balance.ts'
import { getDebt } from '#server/domain/money/store.ts'
import { buyWithCode, quoteReduced } from '#server/domain/billing/promos/promos.ts'
import type { PurchaseRequest } from '#server/domain/tariffs/subscriptions.ts'
import type { BuyRequest } from '#server/domain/tariffs/subscriptions-change.ts'
import { updatePayment } from './store.ts'
import type { PaymentRow, PaySystem, PayServices } from '#server/domain/billing/providers/provider.ts'
import { patienceMs } from './schedule.ts'

/** A purchase with the quote that its payment holds (`payments.plan`). */
type Planned = PurchaseRequest & Required<Pick<BuyRequest, 'asOf' | 'quotedTotal'>> & { readonly title: string }

/**
 * Quotes a purchase, and checks that the payment is what the balance does not cover. An amount below the minimum of the pay
 * system is paid at the minimum; the rest stays in the balance.
 * @throws RuleError `DebtOpen`, `AmountDiffers` with the present quote, and the errors of `quoteReduced`
 */
export async function planPurchase(
  { db, clock }: Pick<PayServices, 'db' | 'clock'>,
  request: PurchaseRequest,
  amount: number,
  { minAmount }: Pick<PaySystem, 'minAmount'>,
): Promise<Planned & { readonly asOf: { readonly at: string; readonly mark: string } }> {
  const { decision, held, currency, plan, at, mark } = await quoteReduced({ db, clock }, request)
  const debt = await getDebt(db, request.projectId)
  if (debt > 0) throw new RuleError('DebtOpen', { debt })
  const missing = decision.total - sumOf(held)
  const needed = missing <= 0 ? 0 : Math.max(missing, minAmount)
  if (amount !== needed) {
    const quote = { total: decision.total, balance: sumOf(held), amount: needed, currency }
    throw new RuleError('AmountDiffers', { quote })
  }
  return { ...request, quotedTotal: decision.total, asOf: { at, mark }, title: plan.title }
}

/**
 * Buys the plan of a settled payment at its quote, which holds for 24 hours while slots and list prices are unchanged.
 * Otherwise all money stays in the balance, and `payments.purchase` has the reason.
 */
export async function purchasePlan(services: PayServices, trx: Trx, payment: PaymentRow): Promise<void> {
  if (payment.plan === null || payment.purchase !== null) return
  const { title, ...planned } = JSON.parse(payment.plan) as Planned
  const reason = await buyPlanned(services, trx, payment, planned)
  const purchase = JSON.stringify({ outcome: reason === null ? 'bought' : 'kept', reason })
  await updatePayment(trx, payment.id, { purchase })
  if (reason !== null) return
  const { project_id: projectId, user_id: userId, period, type } = payment
  const details = { plan: title, period, ...(type !== 'topup' && lineDetails(type)) }
  await recordHistory(services, trx, { projectId, userId, action: 'plan_bought', details })
}

/** @returns null after the purchase, else the reason why nothing was bought */
async function buyPlanned(
  { clock }: PayServices,
  trx: Trx,
  payment: PaymentRow,
  planned: Omit<Planned, 'title'>,
): Promise<string | null> {
  if ((payment.date_quote ?? '') <= iso(later(clock.now(), -patienceMs))) return 'QuoteExpired'
  try {
    const links = { payment_id: payment.id, user_id: payment.user_id ?? undefined }
    const request = { ...planned, key: `payment:${payment.uuid}`, links }
    const { outcome } = await undoable(trx, () => buyWithCode({ clock }, trx, request))
    return outcome === 'bought' || outcome === 'repeated' ? null : 'QuoteChanged'
  } catch (error) {
    if (error instanceof AppError) return error.name
    throw error
  }
}

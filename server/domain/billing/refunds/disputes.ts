// Disputes that operators enter by hand, because some providers report none. They are booked like reported ones.
import { randomUUID } from 'node:crypto'
import { RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { listDisputes } from '#server/domain/billing/payments/store.ts'
import type {
  Move,
  PaymentRow,
  ProviderPayment,
  ProviderDispute,
  PayServices,
} from '#server/domain/billing/providers/provider.ts'
import { findProvider } from '#server/domain/billing/providers/registry.ts'
import { settle } from '#server/domain/billing/payments/settle.ts'
import type { Booked } from '#server/domain/billing/payments/settlement.ts'

const prefix = 'manual-'

/** Returns the amount of the open dispute that was entered by hand, minor units; 0: none. */
export function openByHand(disputes: readonly Awaited<ReturnType<typeof listDisputes>>[number][]): number {
  const open = disputes.find(({ provider_id, status }) => provider_id.startsWith(prefix) && status === 'open')
  return open ? open.withdrawn_minor - open.reinstated_minor : 0
}

/**
 * Enters a dispute: the amount leaves the balances of the project, and the rest becomes a debt.
 * @param amountMinor minor units
 * @param noted runs in the transaction that books the dispute
 * @throws RuleError `DisputeReported` where the provider reports disputes itself; `DisputeOpen`; `RefundTooHigh`
 */
export async function openDispute(
  services: PayServices,
  payment: PaymentRow,
  amountMinor: number,
  noted: (trx: Trx) => Promise<void>,
): Promise<void> {
  if (findProvider(services, payment.provider)?.reportsDisputes) throw new RuleError('DisputeReported')
  const dispute = {
    id: `${prefix}${randomUUID()}`,
    withdrawnMinor: amountMinor,
    reinstatedMinor: 0,
    status: 'open',
  } as const
  await settle(services, payment.id, providerPaymentOf(payment, dispute), withdrawal(dispute), noted)
}

const withdrawal =
  (dispute: ProviderDispute) =>
  (booked: Booked): Move[] => {
    const { disputes, refunds, payment } = booked
    const isOpen = ({ id, withdrawnMinor, reinstatedMinor }: (typeof disputes)[number]) =>
      id.startsWith(prefix) && withdrawnMinor > reinstatedMinor
    if (disputes.some(isOpen)) throw new RuleError('DisputeOpen')
    const gone = [
      ...refunds.map((one) => one.takenMinor - one.returnedMinor),
      ...disputes.map((one) => one.withdrawnMinor - one.reinstatedMinor),
    ]
    const left = gone.reduce((rest, amount) => rest - amount, payment.credited_minor)
    if (dispute.withdrawnMinor > left) throw new RuleError('RefundTooHigh', { max_amount: left })
    return [{ kind: 'withdraw', dispute, amountMinor: dispute.withdrawnMinor }]
  }

/**
 * Ends the dispute that was entered by hand. A dispute that is won returns its amount to the project.
 * @throws RuleError `NoDispute`
 */
export async function endDispute(
  services: PayServices,
  payment: PaymentRow,
  isWon: boolean,
  noted: (trx: Trx) => Promise<void>,
): Promise<void> {
  const row = (await listDisputes(services.db, payment.id)).find(
    ({ provider_id, status }) => provider_id.startsWith(prefix) && status === 'open',
  )
  if (!row) throw new RuleError('NoDispute')
  const dispute: ProviderDispute = {
    id: row.provider_id,
    withdrawnMinor: row.withdrawn_minor,
    reinstatedMinor: isWon ? row.withdrawn_minor : row.reinstated_minor,
    status: isWon ? 'won' : 'lost',
  }
  const rules = ({ disputes }: Booked): Move[] => {
    const known = disputes.find(({ id }) => id === dispute.id)
    const amountMinor = dispute.reinstatedMinor - (known?.reinstatedMinor ?? 0)
    return amountMinor > 0 ? [{ kind: 'reinstate', dispute, amountMinor }] : []
  }
  await settle(services, payment.id, providerPaymentOf(payment, dispute), rules, noted)
}

/** Report of a payment with one dispute and nothing else. */
const providerPaymentOf = (payment: PaymentRow, dispute: ProviderDispute): ProviderPayment => ({
  payId: payment.pay_id ?? '',
  payRef: null,
  uuid: payment.uuid,
  status: 'success',
  reason: null,
  amountMinor: payment.amount_minor,
  currency: payment.currency,
  feeMinor: payment.fee_minor,
  method: null,
  actionUrl: null,
  refunds: [],
  disputes: [dispute],
})

// Parts of a provider's report beyond money: a second id, states of refunds and disputes.
import { iso } from '#server/core/clock.ts'
import type { Trx } from '#server/db/open.ts'
import {
  hasOpenRefund,
  listDisputes,
  listRefunds,
  updateDispute,
  updatePayment,
  updateRefund,
} from './payments-store.ts'
import type { PaymentRow, ProviderPayment } from './providers/provider.ts'
import { checkDelayMs, scheduleCheck } from './schedule.ts'
import type { PayServices } from './services.ts'

/** Stores them, and schedules a check while a refund is not decided. @param payment row from before the report */
export async function noteReport(
  { clock }: Pick<PayServices, 'clock'>,
  trx: Trx,
  payment: PaymentRow,
  seen: ProviderPayment,
): Promise<void> {
  const { id: paymentId } = payment
  if (payment.pay_ref !== seen.payRef && seen.payRef !== null)
    await updatePayment(trx, paymentId, { pay_ref: seen.payRef })
  await noteRefunds(trx, paymentId, seen)
  // Reconciliation may find a refund of a payment that no check is scheduled for.
  if (await hasOpenRefund(trx, paymentId)) await scheduleCheck(trx, paymentId, checkDelayMs(payment.looks))
  const disputes = await listDisputes(trx, paymentId)
  for (const { id, status } of seen.disputes) {
    const row = disputes.find(({ provider_id }) => provider_id === id)
    if (row && row.status === 'open' && status !== 'open')
      await updateDispute(trx, row.id, { status, date_update: iso(clock.now()) })
  }
}

async function noteRefunds(trx: Trx, paymentId: number, seen: ProviderPayment): Promise<void> {
  const rows = await listRefunds(trx, paymentId)
  for (const { id, key, isPending } of seen.refunds) {
    const row = rows.find((one) => (one.provider_id === null ? one.uuid === key : one.provider_id === id))
    if (!row) continue
    const open = row.state === 'unclear' ? 'unclear' : 'sent'
    const state = row.state === 'failed' ? 'failed' : isPending ? open : 'booked'
    if (row.provider_id !== id || row.state !== state) await updateRefund(trx, row.id, { provider_id: id, state })
  }
}

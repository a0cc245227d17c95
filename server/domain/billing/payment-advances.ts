// Advances (54-FZ) of payments: a top-up with a receipt is one, and refunds return it.
import type { Trx } from '#server/db/open.ts'
import { enterAdvances, restoreAdvance } from '#server/domain/tariffs/advances.ts'
import { type AdvancePart, sumOfParts } from '#server/domain/tariffs/advances-rules.ts'
import { findAdvance } from '#server/domain/tariffs/advances-store.ts'
import type { RefundRow } from './payments-store.ts'
import type { PaymentRow, Seen } from './providers/provider.ts'

/** Notes the advance of a credited top-up. @param enteredMinor part that entered the paid-in balance: the rest paid a debt */
export async function enterAdvance(
  trx: Trx,
  { id, project_id, type }: PaymentRow,
  { hasReceipt }: Pick<Seen, 'hasReceipt'>,
  { amountMinor, enteredMinor }: { readonly amountMinor: number; readonly enteredMinor: number },
): Promise<void> {
  if (type === 'topup' && hasReceipt)
    await enterAdvances(trx, project_id, [{ paymentId: id, amountMinor }], enteredMinor)
}

/** Returns the part of a refund that returns an advance; null for a top-up without one, whose receipt stays an advance. */
export async function advanceOfRefund(
  trx: Trx,
  { id, project_id, type }: PaymentRow,
  parts: readonly AdvancePart[],
): Promise<number | null> {
  if (type === 'topup' && !(await findAdvance(trx, project_id, id))) return null
  return sumOfParts(parts)
}

/** Opens the advance of a payment again, after a refund failed. */
export async function reopenAdvance(
  trx: Trx,
  { id, project_id }: PaymentRow,
  { advance_minor }: Pick<RefundRow, 'advance_minor'>,
  amountMinor: number,
): Promise<void> {
  const part = { paymentId: id, amountMinor: Math.min(amountMinor, advance_minor ?? 0) }
  if (part.amountMinor > 0) await restoreAdvance(trx, project_id, part)
}

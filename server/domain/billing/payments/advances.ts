// Advances (54-FZ) of payments: a top-up with a receipt is one, and refunds return it.
import type { Trx } from '#server/db/open.ts'
import { enterAdvances } from '#server/domain/money/advances.ts'
import { type AdvancePart, splitParts, sumOfParts } from '#server/domain/money/advances-rules.ts'
import { findAdvance } from '#server/domain/money/advances-store.ts'
import type { PaymentRow, ProviderPayment } from '#server/domain/billing/providers/provider.ts'

/** Notes the advance of a credited top-up. @param enteredMinor part that entered the paid-in balance: the rest paid a debt */
export async function enterAdvance(
  trx: Trx,
  { id, project_id, type }: PaymentRow,
  { hasReceipt }: Pick<ProviderPayment, 'hasReceipt'>,
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

/**
 * Opens advances again whose money came back: of a refund that failed, or a dispute that is won.
 * @param away advances that it took (`advance_parts`)
 * @param amountMinor money that came back
 * @param enteredMinor part of it that entered the paid-in balance: the rest paid a debt
 * @returns the advances that are still away
 */
export async function reopenAdvances(
  trx: Trx,
  projectId: number,
  away: string | null,
  { amountMinor, enteredMinor }: { readonly amountMinor: number; readonly enteredMinor: number },
): Promise<string | null> {
  const { first, rest } = splitParts(readParts(away), amountMinor)
  await enterAdvances(trx, projectId, first, enteredMinor)
  return partsText(rest)
}

/** Adds parts to those of a refund or dispute. @returns its `advance_parts` */
export const withParts = (away: string | null, parts: readonly AdvancePart[]): string | null =>
  partsText([...readParts(away), ...parts])

const readParts = (text: string | null) => JSON.parse(text ?? '[]') as readonly AdvancePart[]
const partsText = (parts: readonly AdvancePart[]) => (parts.length > 0 ? JSON.stringify(parts) : null)

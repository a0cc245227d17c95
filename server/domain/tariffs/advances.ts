// Advances (54-FZ) beside the ledger, in its transactions: money of a top-up with an advance receipt, until a purchase closes it.
import { randomUUID } from 'node:crypto'
import type { Trx } from '#server/db/open.ts'
import { type AdvancePart, type Debit, takenAdvances } from './advances-rules.ts'
import { findAdvance, insertClosingReceipts, listOpenAdvances, updateAdvance, upsertAdvance } from './advances-store.ts'
import type { Instant } from './subscriptions-periods.ts'

/** A booked movement that took money from the paid-in balance of a project. */
export interface BookedDebit extends Debit {
  readonly projectId: number
  /** `sale` closes advances, `move` takes them along, `end` leaves them without a closing receipt. */
  readonly use: 'sale' | 'move' | 'end'
  readonly transactionId: number
  readonly now: Instant
}

/** Takes the advances of a booked movement. A sale requests a closing receipt for each part. @returns the parts */
export async function takeAdvances(trx: Trx, debit: BookedDebit): Promise<readonly AdvancePart[]> {
  const { projectId, use, transactionId, now } = debit
  const open = await listOpenAdvances(trx, projectId)
  if (open.length === 0) return []
  const parts = takenAdvances(open, debit)
  for (const { paymentId, amountMinor } of parts) {
    const left = { leftMinor: -amountMinor }
    if (use === 'sale') await updateAdvance(trx, projectId, paymentId, { ...left, closedMinor: amountMinor })
    else if (use === 'move') await updateAdvance(trx, projectId, paymentId, { ...left, amountMinor: -amountMinor })
    else await updateAdvance(trx, projectId, paymentId, left)
  }
  if (use === 'sale' && parts.length > 0) {
    const common = { project_id: projectId, transaction_id: transactionId, state: 'waiting', date_create: now } as const
    await insertClosingReceipts(
      trx,
      parts.map(({ paymentId, amountMinor }) => ({
        ...common,
        key: randomUUID(),
        payment_id: paymentId,
        amount_minor: amountMinor,
      })),
    )
  }
  return parts
}

/**
 * Notes advances that entered the balance of a project.
 * @param enteredMinor money that entered the paid-in balance; less than the advances when it paid a debt
 */
export async function enterAdvances(
  trx: Trx,
  projectId: number,
  parts: readonly AdvancePart[],
  enteredMinor: number,
): Promise<void> {
  let rest = enteredMinor
  for (const { paymentId, amountMinor } of parts) {
    const leftMinor = Math.min(rest, amountMinor)
    await upsertAdvance(trx, projectId, { paymentId, amountMinor, leftMinor })
    rest -= leftMinor
  }
}

/** Opens the returned part of an advance again, after its refund failed. At most what purchases and later refunds left. */
export async function restoreAdvance(trx: Trx, projectId: number, { paymentId, amountMinor }: AdvancePart) {
  const advance = await findAdvance(trx, projectId, paymentId)
  if (!advance) return
  const returned = advance.amount_minor - advance.closed_minor - advance.left_minor
  await updateAdvance(trx, projectId, paymentId, { leftMinor: Math.min(returned, amountMinor) })
}

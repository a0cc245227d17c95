// Advances (54-FZ) beside the ledger, in its transactions: money of a top-up with an advance receipt, until a purchase closes it.
import { randomUUID } from 'node:crypto'
import type { Trx } from '#server/db/open.ts'
import { type AdvancePart, type Debit, takenAdvances } from './advances-rules.ts'
import { insertClosingReceipts, listOpenAdvances, updateAdvance, upsertAdvance } from './advances-store.ts'
import type { Instant } from '#server/core/clock.ts'

/** A booked movement that took money from the paid-in balance of a project. */
export interface BookedDebit extends Debit {
  readonly projectId: number
  /** True: closing receipts are requested. */
  readonly isSale: boolean
  readonly transactionId: number
  readonly now: Instant
}

/**
 * Takes the advances of a booked movement. A sale requests a closing receipt for each part.
 * @returns the parts; they enter again with `enterAdvances` when the money comes back or moves to another project
 */
export async function takeAdvances(trx: Trx, debit: BookedDebit): Promise<readonly AdvancePart[]> {
  const { projectId, isSale, transactionId, now } = debit
  const open = await listOpenAdvances(trx, projectId)
  if (open.length === 0) return []
  const parts = takenAdvances(open, debit)
  for (const part of parts) await updateAdvance(trx, projectId, part)
  if (isSale && parts.length > 0) {
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
 * Notes advances that entered the balance of a project, for the first time or again.
 * @param enteredMinor money that entered the paid-in balance; less than the advances when it paid a debt
 */
export async function enterAdvances(
  trx: Trx,
  projectId: number,
  parts: readonly AdvancePart[],
  enteredMinor: number,
): Promise<void> {
  let rest = enteredMinor
  for (const { paymentId, amountMinor: wanted } of parts) {
    const amountMinor = Math.min(rest, wanted)
    await upsertAdvance(trx, projectId, { paymentId, amountMinor })
    rest -= amountMinor
  }
}

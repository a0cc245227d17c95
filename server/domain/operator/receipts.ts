// Closing receipts (54-FZ) that YooKassa has refused: operators send them again, or make them elsewhere.
import { randomUUID } from 'node:crypto'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { scheduleJob } from '#server/db/jobs.ts'
import type { ReadDb } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import {
  countOpenReceipts,
  listRefusedReceipts,
  lockReceipt,
  titleOf,
  updateReceipt,
} from '#server/domain/billing/receipts/store.ts'
import { receiptKind } from '#server/domain/money/advances-store.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'

const shownMax = 50

/** Returns the receipts that wait for the operator, and the number of those that wait for YooKassa. */
export async function getReceiptHealth(db: ReadDb) {
  const rows = await listRefusedReceipts(db, shownMax)
  const refused = rows.map(({ details, ...row }) => ({
    receipt_id: row.id,
    payment_id: row.payment_id,
    project_id: row.project_id,
    project_name: row.project_name,
    title: titleOf(details) ?? '',
    amount: row.amount_minor,
    reason: row.reason ?? '',
    date: row.date_create,
  }))
  return { waiting: await countOpenReceipts(db), refused }
}

/**
 * Sends a refused receipt again as a new one, or notes that it was made elsewhere.
 * @throws RuleError `NoReceipt` unless it waits for a decision
 */
export async function resolveReceipt(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  user: User,
  { id, isAgain, reason }: { readonly id: number; readonly isAgain: boolean; readonly reason: string },
): Promise<void> {
  await transaction(db, async (trx) => {
    const row = await lockReceipt(trx, id)
    if (row?.state !== 'refused') throw new RuleError('NoReceipt', 'This receipt waits for no decision')
    const { payment_id, project_id: projectId, amount_minor: amount } = row
    const anew = { state: 'waiting', key: randomUUID(), provider_id: null, date_begin: null, tries: 0 } as const
    await updateReceipt(trx, row, isAgain ? { ...anew, reason: null } : { state: 'by_hand' })
    if (isAgain) await scheduleJob(trx, receiptKind, id)
    const action = isAgain ? 'receipt_again' : 'receipt_by_hand'
    const after = { receipt_id: id, payment_id, amount, currency: 'rub' }
    await logOperator(trx, clock, { userId: user.id, action, projectId, after, reason })
  })
}

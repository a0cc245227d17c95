// SQL of closing receipts (54-FZ): open ones, and those that wait for the operator.
import type { Selectable, Updateable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { AdvanceTables } from '#server/db/tables-advances.ts'

export type ReceiptRow = Selectable<AdvanceTables['closing_receipts']>
export type ReceiptChange = Updateable<AdvanceTables['closing_receipts']>

/** States in which a receipt has a next step. */
const open = ['waiting', 'sent'] as const

/** Returns the title of the plan in the details of a purchase. @param details `ledger_transactions.details` */
export const titleOf = (details: string | null): string | null =>
  (JSON.parse(details ?? '{}') as { readonly title?: string }).title ?? null

/** Returns a receipt; undefined for an unknown id. */
export const findReceipt = (db: ReadDb, id: number): Promise<ReceiptRow | undefined> =>
  db.selectFrom('closing_receipts').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns whether a receipt has a next step. */
export const isOpenReceipt = ({ state }: ReceiptRow): boolean => state === 'waiting' || state === 'sent'

/** Returns the receipts that have a next step. */
export async function listOpenReceipts(db: ReadDb): Promise<readonly number[]> {
  const rows = await db.selectFrom('closing_receipts').select('id').where('state', 'in', open).execute()
  return rows.map(({ id }) => id)
}

/** Changes a receipt in a state. */
export async function updateReceipt(
  db: Db | Trx,
  { id, state }: Pick<ReceiptRow, 'id' | 'state'>,
  change: ReceiptChange,
): Promise<void> {
  await db.updateTable('closing_receipts').set(change).where('id', '=', id).where('state', '=', state).execute()
}

/** Stores the request of a receipt before its first call, once. @returns the stored request */
export async function updateRequest(db: Db, id: number, now: string, body: string): Promise<string> {
  await db
    .updateTable('closing_receipts')
    .set({ body, date_begin: now })
    .where('id', '=', id)
    .where('body', 'is', null)
    .execute()
  const row = await db.selectFrom('closing_receipts').select('body').where('id', '=', id).executeTakeFirst()
  return row?.body ?? body
}

/** Purchase of a receipt, and the payment of its advance. */
export const getPurchase = (db: ReadDb, id: number) =>
  db
    .selectFrom('closing_receipts')
    .innerJoin('ledger_transactions', 'ledger_transactions.id', 'closing_receipts.transaction_id')
    .innerJoin('payments', 'payments.id', 'closing_receipts.payment_id')
    .select([
      'ledger_transactions.type',
      'ledger_transactions.details',
      'payments.provider',
      'payments.pay_id',
      'payments.user_id',
    ])
    .where('closing_receipts.id', '=', id)
    .executeTakeFirstOrThrow()

/** Returns the ids at the provider of all closing receipts of a payment. */
export async function listReceiptIds(db: ReadDb, paymentId: number): Promise<readonly (string | null)[]> {
  const rows = await db
    .selectFrom('closing_receipts')
    .select('provider_id')
    .where('payment_id', '=', paymentId)
    .where('provider_id', 'is not', null)
    .execute()
  return rows.map(({ provider_id }) => provider_id)
}

/** Returns how many receipts are not registered yet. */
export const countOpenReceipts = (db: ReadDb): Promise<number> =>
  countRows(db.selectFrom('closing_receipts').where('state', 'in', open))

/** Returns how many receipts wait for the operator. */
export const countRefusedReceipts = (db: ReadDb): Promise<number> =>
  countRows(db.selectFrom('closing_receipts').where('state', '=', 'refused'))

/** Returns the oldest receipts that wait for the operator. */
export const listRefusedReceipts = (db: ReadDb, limit: number) =>
  db
    .selectFrom('closing_receipts')
    .innerJoin('projects', 'projects.id', 'closing_receipts.project_id')
    .innerJoin('ledger_transactions', 'ledger_transactions.id', 'closing_receipts.transaction_id')
    .selectAll('closing_receipts')
    .select(['projects.name as project_name', 'ledger_transactions.details'])
    .where('state', '=', 'refused')
    .orderBy('closing_receipts.id')
    .limit(limit)
    .execute()

/** Returns a receipt, locked until the transaction ends. */
export const lockReceipt = (trx: Trx, id: number): Promise<ReceiptRow | undefined> =>
  trx.selectFrom('closing_receipts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

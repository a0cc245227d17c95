// SQL of payments, and of their refunds and disputes.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { PaymentTables } from '#server/db/tables-billing.ts'
import type { PaymentRow } from './providers/provider.ts'

export type RefundRow = Selectable<PaymentTables['payment_refunds']>
export type DisputeRow = Selectable<PaymentTables['payment_disputes']>

/** Inserts a payment. @returns the row */
export const insertPayment = (trx: Trx, values: Insertable<PaymentTables['payments']>): Promise<PaymentRow> =>
  trx.insertInto('payments').values(values).returningAll().executeTakeFirstOrThrow()

/** Returns a payment; undefined for an unknown id. */
export const findPayment = (db: Db | Trx, id: number): Promise<PaymentRow | undefined> =>
  db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks a payment until the transaction ends. Lock the wallet first. */
export const lockPayment = (trx: Trx, id: number): Promise<PaymentRow> =>
  trx.selectFrom('payments').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** Returns the payment that was created under an idempotency key of a project. */
export const findPaymentByKey = (db: Db | Trx, projectId: number, key: string): Promise<PaymentRow | undefined> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()

/** Returns the payment of a provider that one of several ids names. */
export const findPaymentByRefs = (
  db: Db | Trx,
  provider: string,
  refs: readonly string[],
): Promise<PaymentRow | undefined> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('provider', '=', provider)
    .where(({ or, eb }) => or([eb('pay_id', 'in', refs), eb('pay_ref', 'in', refs), eb('uuid', 'in', refs)]))
    .executeTakeFirst()

/** Returns how many payments of a project are pending. */
export async function countPending(db: Db | Trx, projectId: number): Promise<number> {
  return await countRows(db.selectFrom('payments').where('project_id', '=', projectId).where('status', '=', 'pending'))
}

/** Returns a page of payments of a project, newest first, and how many there are. */
export async function listPayments(
  db: Db | Trx,
  projectId: number,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: PaymentRow[]; readonly total: number }> {
  const all = db.selectFrom('payments').where('project_id', '=', projectId)
  const rows = await all.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute()
  return { rows, total: await countRows(all) }
}

/** Returns the e-mail of a user; null without one. */
export async function findEmail(db: Db, userId: number): Promise<string | null> {
  const row = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return row?.email ?? null
}

/** Returns the part of a credited payment that paid a debt of its project, minor units. */
export async function sumDebtPaid(db: Db | Trx, { project_id, uuid }: PaymentRow): Promise<number> {
  const row = await db
    .selectFrom('ledger_transactions as move')
    .innerJoin('ledger_entries as entry', 'entry.transaction_id', 'move.id')
    .select('entry.amount_minor')
    .where('move.project_id', '=', project_id)
    .where('move.idempotency_key', '=', `payment:${uuid}`)
    .where('entry.account', '=', 'receivable')
    .executeTakeFirst()
  return row?.amount_minor ?? 0
}

/** Changes a payment. */
export async function updatePayment(
  db: Db | Trx,
  id: number,
  change: Updateable<PaymentTables['payments']>,
): Promise<void> {
  await db.updateTable('payments').set(change).where('id', '=', id).execute()
}

/** Returns the payments that need a check: pending ones, those with a refund that may still fail, and those of earlier versions. */
export async function listPaymentsToCheck(db: Db): Promise<readonly number[]> {
  const sent = db.selectFrom('payment_refunds').select('payment_id').where('state', '=', 'sent')
  const rows = await db
    .selectFrom('payments')
    .select('id')
    .where(({ or, eb }) => or([eb('status', '=', 'pending'), eb('date_look', 'is not', null), eb('id', 'in', sent)]))
    .execute()
  return rows.map(({ id }) => id)
}

/** Notes a check. */
export async function updatePaymentChecked(trx: Trx, id: number, now: string): Promise<void> {
  await trx
    .updateTable('payments')
    .set(({ eb }) => ({ date_look: null, date_seen: now, looks: eb('looks', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export const listRefunds = (db: Db | Trx, paymentId: number): Promise<RefundRow[]> =>
  db.selectFrom('payment_refunds').selectAll().where('payment_id', '=', paymentId).orderBy('id').execute()

/** Returns whether a refund of a payment waits for its provider: it may still fail. */
export async function hasOpenRefund(db: Db | Trx, paymentId: number): Promise<boolean> {
  const open = db.selectFrom('payment_refunds').where('payment_id', '=', paymentId).where('state', '=', 'sent')
  return (await countRows(open)) > 0
}

export const listDisputes = (db: Db | Trx, paymentId: number): Promise<DisputeRow[]> =>
  db.selectFrom('payment_disputes').selectAll().where('payment_id', '=', paymentId).orderBy('id').execute()

export async function insertRefund(trx: Trx, values: Insertable<PaymentTables['payment_refunds']>): Promise<RefundRow> {
  return await trx.insertInto('payment_refunds').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Changes a refund. @param from changes it only in this state */
export async function updateRefund(
  db: Db | Trx,
  id: number,
  change: Updateable<PaymentTables['payment_refunds']>,
  from?: RefundRow['state'],
): Promise<void> {
  const row = db.updateTable('payment_refunds').set(change).where('id', '=', id)
  await (from === undefined ? row : row.where('state', '=', from)).execute()
}

/** Returns a refund; undefined for an unknown id. */
export const findRefund = (db: Db | Trx, id: number): Promise<RefundRow | undefined> =>
  db.selectFrom('payment_refunds').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns the refunds that their provider has not accepted. */
export async function listRequestedRefunds(db: Db): Promise<readonly number[]> {
  const rows = await db.selectFrom('payment_refunds').select('id').where('state', '=', 'requested').execute()
  return rows.map(({ id }) => id)
}

export async function insertDispute(trx: Trx, values: Insertable<PaymentTables['payment_disputes']>): Promise<void> {
  await trx.insertInto('payment_disputes').values(values).execute()
}

export async function updateDispute(
  trx: Trx,
  id: number,
  change: Updateable<PaymentTables['payment_disputes']>,
): Promise<void> {
  await trx.updateTable('payment_disputes').set(change).where('id', '=', id).execute()
}

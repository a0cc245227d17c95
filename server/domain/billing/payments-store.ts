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

/** Requests a look at a time or earlier; when a look is running, another one at that time. */
export async function updatePaymentHint(db: Db | Trx, id: number, at: string): Promise<void> {
  await db
    .updateTable('payments')
    .set(({ eb }) => ({
      hints: eb('hints', '+', 1),
      date_look: eb
        .case()
        .when(eb.and([eb('date_lease', 'is', null), eb('date_look', '<', at)]))
        .then(eb.ref('date_look'))
        .else(at)
        .end(),
    }))
    .where('id', '=', id)
    .execute()
}

/**
 * Takes payments whose look is due, oldest first, so that no other replica looks at them before the lease ends.
 * @param only a payment that is taken whether or not its look is due
 */
export const leasePayments = (
  db: Db,
  { now, until, limit, only }: { now: string; until: string; limit: number; only?: number },
): Promise<PaymentRow[]> =>
  db
    .updateTable('payments')
    .set({ date_lease: until })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('payments')
        .select('id')
        .where((due) => (only === undefined ? due('date_look', '<=', now) : due('id', '=', only)))
        .where((free) => free.or([free('date_lease', 'is', null), free('date_lease', '<=', now)]))
        .orderBy('date_look')
        .limit(limit),
    )
    // Again, for a row that another replica has taken meanwhile.
    .where((free) => free.or([free('date_lease', 'is', null), free('date_lease', '<=', now)]))
    .returningAll()
    .execute()

/** Ends a lease. The next look is at `next`, unless an event arrived since the payment was taken. */
export async function releasePayment(
  db: Db,
  { id, hints }: Pick<PaymentRow, 'id' | 'hints'>,
  { now, next }: { readonly now: string; readonly next: string | null },
): Promise<void> {
  const seen = { date_lease: null, date_seen: now } as const
  await db
    .updateTable('payments')
    .set(({ eb }) => ({ ...seen, date_look: next, looks: eb('looks', '+', 1) }))
    .where('id', '=', id)
    .where('hints', '=', hints)
    .execute()
  await db.updateTable('payments').set(seen).where('id', '=', id).where('hints', '!=', hints).execute()
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

/** Takes requested refunds whose lease has ended, oldest first, so that no other replica sends them meanwhile. */
export const leaseRefunds = (
  db: Db,
  { now, until, limit }: { readonly now: string; readonly until: string; readonly limit: number },
): Promise<RefundRow[]> =>
  db
    .updateTable('payment_refunds')
    .set({ date_lease: until })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('payment_refunds')
        .select('id')
        .where('state', '=', 'requested')
        .where((free) => free.or([free('date_lease', 'is', null), free('date_lease', '<=', now)]))
        .orderBy('id')
        .limit(limit),
    )
    // Again, for a row that another replica has taken meanwhile.
    .where('state', '=', 'requested')
    .where((free) => free.or([free('date_lease', 'is', null), free('date_lease', '<=', now)]))
    .returningAll()
    .execute()

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

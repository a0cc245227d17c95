// SQL of payments: refunds, disputes, saved methods, received messages.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { PaymentTables } from '#server/db/tables-billing.ts'
import type { PaymentRow } from '#server/domain/billing/providers/provider.ts'

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

export type MethodRow = Selectable<PaymentTables['payment_methods']>

/** Returns the saved methods of a project, the default one first. */
export const listMethods = (db: Db | Trx, projectId: number): Promise<MethodRow[]> =>
  db
    .selectFrom('payment_methods')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('date_remove', 'is', null)
    .orderBy('is_default', 'desc')
    .orderBy('id')
    .execute()

/** Returns a saved method of a project. */
export const findMethod = (db: Db | Trx, projectId: number, id: number): Promise<MethodRow | undefined> =>
  db
    .selectFrom('payment_methods')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('date_remove', 'is', null)
    .executeTakeFirst()

/** Saves a method, or renews one that was saved or removed before. */
export async function upsertMethod(trx: Trx, values: Insertable<PaymentTables['payment_methods']>): Promise<void> {
  const { token_sealed, title, expires } = values
  await trx
    .insertInto('payment_methods')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'provider', 'token_hash'])
        .doUpdateSet({ token_sealed, title, expires, date_remove: null }),
    )
    .execute()
}

/** Makes a method the only default one of its project. @param id null: none */
export async function updateDefaultMethod(trx: Trx, projectId: number, id: number | null): Promise<void> {
  await trx.updateTable('payment_methods').set({ is_default: 0 }).where('project_id', '=', projectId).execute()
  if (id !== null) await trx.updateTable('payment_methods').set({ is_default: 1 }).where('id', '=', id).execute()
}

/** Removes a method. Its token is erased. */
export async function removeMethod(trx: Trx, id: number, now: string): Promise<void> {
  await trx
    .updateTable('payment_methods')
    .set({ date_remove: now, token_sealed: '', is_default: 0 })
    .where('id', '=', id)
    .execute()
}

/** Returns the customer of a project at a provider; null before its first payment. */
export async function findCustomer(db: Db, projectId: number, provider: string): Promise<string | null> {
  const row = await db
    .selectFrom('payment_customers')
    .select('customer')
    .where('project_id', '=', projectId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return row?.customer ?? null
}

/** Inserts the customer of a project at a provider. The first one stays. */
export async function insertCustomer(db: Db, values: PaymentTables['payment_customers']): Promise<void> {
  await db
    .insertInto('payment_customers')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type ProviderState = Selectable<PaymentTables['pay_providers']>

/** Inserts a message, or counts another delivery of a known one. */
export async function upsertEvent(trx: Trx, values: Insertable<PaymentTables['payment_events']>): Promise<void> {
  await trx
    .insertInto('payment_events')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'event_id'])
        .doUpdateSet(({ eb }) => ({ times: eb('payment_events.times', '+', 1), payment_id: values.payment_id })),
    )
    .execute()
}

/** Returns how many messages of a payment are stored. */
export async function countEvents(trx: Trx, paymentId: number): Promise<number> {
  return await countRows(trx.selectFrom('payment_events').where('payment_id', '=', paymentId))
}

/** Removes messages older than a time. */
export async function removeEvents(db: Db, before: string): Promise<void> {
  await db.deleteFrom('payment_events').where('date_create', '<', before).execute()
}

/** Creates the row of a provider if it has none. */
async function insertProvider(db: Db | Trx, provider: string): Promise<void> {
  await db
    .insertInto('pay_providers')
    .values({ provider, date_event: null, date_reconciled: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Notes that a message arrived. */
export async function updateProviderEvent(db: Db | Trx, provider: string, now: string): Promise<void> {
  await insertProvider(db, provider)
  await db.updateTable('pay_providers').set({ date_event: now }).where('provider', '=', provider).execute()
}

/** Returns the begin of the last reconciliation of a provider; null before the first. */
export async function findReconciled(db: Db, provider: string): Promise<string | null> {
  const state = db.selectFrom('pay_providers').select('date_reconciled').where('provider', '=', provider)
  return (await state.executeTakeFirst())?.date_reconciled ?? null
}

/** Stores the outcome of a reconciliation. @param end.now its begin */
export async function updateReconciled(
  trx: Trx,
  provider: string,
  { now, mismatches }: { readonly now: string; readonly mismatches: number },
): Promise<void> {
  await insertProvider(trx, provider)
  const values = { date_reconciled: now, mismatches }
  await trx.updateTable('pay_providers').set(values).where('provider', '=', provider).execute()
}

/** Returns the payments of a provider that began after a time and were credited before another. */
export const listCredited = (db: Db, provider: string, since: string, until: string) =>
  db
    .selectFrom('payments')
    .select(['id', 'uuid'])
    .where('provider', '=', provider)
    .where('credited_minor', '>', 0)
    .where('date_begin', '>=', since)
    .where('date_end', '<', until)
    .execute()

/** Returns the state of each provider that was reconciled or sent a message. */
export const listProviderStates = (db: ReadDb): Promise<ProviderState[]> =>
  db.selectFrom('pay_providers').selectAll().orderBy('provider').execute()

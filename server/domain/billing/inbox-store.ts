// SQL of webhook messages, and of the state of providers.
import type { Insertable, Selectable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { PaymentTables } from '#server/db/tables-billing.ts'

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
    .values({ provider, date_event: null, date_reconciled: null, date_lease: null })
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
export const listProviderStates = (db: Db): Promise<ProviderState[]> =>
  db.selectFrom('pay_providers').selectAll().orderBy('provider').execute()

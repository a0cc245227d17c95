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

/** Takes a provider for reconciliation when its last one is older than `before`. @returns its state, or undefined */
export async function leaseProvider(
  db: Db,
  provider: string,
  { now, before, until }: { readonly now: string; readonly before: string; readonly until: string },
): Promise<ProviderState | undefined> {
  await insertProvider(db, provider)
  return await db
    .updateTable('pay_providers')
    .set({ date_lease: until })
    .where('provider', '=', provider)
    .where(({ or, eb }) => or([eb('date_lease', 'is', null), eb('date_lease', '<=', now)]))
    .where(({ or, eb }) => or([eb('date_reconciled', 'is', null), eb('date_reconciled', '<=', before)]))
    .returningAll()
    .executeTakeFirst()
}

/** Ends a reconciliation. @param end `until`: it failed, and is repeated at that time */
export async function releaseProvider(
  db: Db,
  provider: string,
  end: { readonly now: string; readonly mismatches: number } | { readonly until: string },
): Promise<void> {
  await db
    .updateTable('pay_providers')
    .set(
      'until' in end
        ? { date_lease: end.until }
        : { date_lease: null, date_reconciled: end.now, mismatches: end.mismatches },
    )
    .where('provider', '=', provider)
    .execute()
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

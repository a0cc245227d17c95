// SQL of saved payment methods, and of customers at providers.
import type { Insertable, Selectable } from 'kysely'
import type { Db, Trx } from '#server/db/open.ts'
import type { PaymentTables } from '#server/db/tables-billing.ts'

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

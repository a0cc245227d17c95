// SQL of money: currency of a project, wallets and ledger.
import type { Insertable } from 'kysely'
import type { Currency } from '#contract/entities/project.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Balance } from './balance.ts'

/** Returns the currency that a project pays in. */
export async function getCurrency(db: ReadDb, projectId: number): Promise<Currency> {
  const row = await db.selectFrom('projects').select('currency').where('id', '=', projectId).executeTakeFirstOrThrow()
  return row.currency
}

/** Returns the balance of a project; undefined for one that never had money. */
export const findBalance = (db: ReadDb, projectId: number): Promise<Balance | undefined> =>
  selectBalance(db, projectId).executeTakeFirst()

/** Creates the wallet of a project if it has none, and locks it until the transaction ends. */
export async function lockBalance(
  trx: Trx,
  projectId: number,
): Promise<{ readonly held: Balance; readonly debt: number }> {
  await trx
    .insertInto('wallets')
    .values({ project_id: projectId, bonus_minor: 0, payment_minor: 0, profit_minor: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await selectBalance(trx, projectId).select('debt_minor').forUpdate().executeTakeFirstOrThrow()
  const { debt_minor: debt, ...held } = row
  return { held, debt }
}

/** Returns what a project owes, minor units. */
export async function getDebt(db: ReadDb, projectId: number): Promise<number> {
  const row = await selectBalance(db, projectId).select('debt_minor').executeTakeFirst()
  return row?.debt_minor ?? 0
}

const selectBalance = (db: ReadDb, projectId: number) =>
  db
    .selectFrom('wallets')
    .select(['bonus_minor as bonus', 'payment_minor as payment', 'profit_minor as profit'])
    .where('project_id', '=', projectId)

/** Sets the balance and the debt of a locked wallet. */
export async function updateBalance(
  trx: Trx,
  projectId: number,
  { bonus, payment, profit }: Balance,
  debt: number,
): Promise<void> {
  await trx
    .updateTable('wallets')
    .set({ bonus_minor: bonus, payment_minor: payment, profit_minor: profit, debt_minor: debt })
    .where('project_id', '=', projectId)
    .execute()
}

/** Inserts a ledger transaction. @returns its id */
export async function insertLedgerTransaction(
  trx: Trx,
  values: Insertable<Tables['ledger_transactions']>,
): Promise<number> {
  const { id } = await trx.insertInto('ledger_transactions').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Inserts the entries of a ledger transaction. */
export async function insertLedgerEntries(
  trx: Trx,
  values: readonly Insertable<Tables['ledger_entries']>[],
): Promise<void> {
  if (values.length > 0) await trx.insertInto('ledger_entries').values(values).execute()
}

/** Returns the request that was booked under an idempotency key; null for an unused key. */
export async function findByKey(
  trx: ReadDb,
  projectId: number,
  key: string,
): Promise<{ request: string | null } | null> {
  const row = await trx
    .selectFrom('ledger_transactions')
    .select('request')
    .where('project_id', '=', projectId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return row ?? null
}

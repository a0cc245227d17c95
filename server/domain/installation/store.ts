// SQL of the installation: its settings, its operators and the log of their changes.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { byCurrency, type Currency, currencyCodes } from '#contract/entities/currencies.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { InstallationTables } from '#server/db/tables-installation.ts'

/** Settings of the installation. */
export type InstallationRow = Selectable<InstallationTables['installation']>

const theRow = 1

/** Returns the settings. */
export const getInstallation = (db: ReadDb): Promise<InstallationRow> =>
  db.selectFrom('installation').selectAll().where('id', '=', theRow).executeTakeFirstOrThrow()

/** As `getInstallation`, and locks the settings until the transaction ends. */
export const lockInstallation = (trx: Trx): Promise<InstallationRow> =>
  trx.selectFrom('installation').selectAll().where('id', '=', theRow).forUpdate().executeTakeFirstOrThrow()

/** Returns the bonus of a new personal project in each currency, minor units. */
export async function getBonuses(db: ReadDb): Promise<Readonly<Record<Currency, number>>> {
  const rows = await db.selectFrom('bonuses').selectAll().execute()
  return byCurrency((code) => rows.find(({ currency }) => currency === code)?.minor ?? 0)
}

/** Sets the bonus of new personal projects by currency, minor units. */
export async function updateBonuses(db: Db | Trx, bonuses: Readonly<Partial<Record<Currency, number>>>): Promise<void> {
  for (const currency of currencyCodes) {
    const minor = bonuses[currency]
    if (minor === undefined) continue
    await db
      .insertInto('bonuses')
      .values({ currency, minor })
      .onConflict((conflict) => conflict.column('currency').doUpdateSet({ minor }))
      .execute()
  }
}

/** Updates settings. */
export async function updateInstallation(
  db: Db | Trx,
  change: Updateable<InstallationTables['installation']>,
): Promise<void> {
  await db.updateTable('installation').set(change).where('id', '=', theRow).execute()
}

/** Stores the number of the folder of media, unless there is one. @returns the one that counts */
export async function claimMediaMarker(db: Db, marker: string): Promise<string> {
  await db
    .updateTable('installation')
    .set({ media_marker: marker })
    .where('id', '=', theRow)
    .where('media_marker', 'is', null)
    .execute()
  return (await getInstallation(db)).media_marker ?? marker
}

/** Stores the time of a sent e-mail, unless one was sent since `recent` and none failed after it. */
export async function updateMailDate(db: Db, date: string, recent: string): Promise<void> {
  await db
    .updateTable('installation')
    .set({ date_mail: date })
    .where('id', '=', theRow)
    .where(({ or, eb, ref }) =>
      or([eb('date_mail', 'is', null), eb('date_mail', '<', recent), eb('date_mail', '<=', ref('date_mail_failure'))]),
    )
    .execute()
}

/** Stores the use of plans, unless there is an answer. */
export async function updateBillingAnswer(
  db: Db | Trx,
  billing: NonNullable<InstallationRow['billing']>,
): Promise<void> {
  await db.updateTable('installation').set({ billing }).where('id', '=', theRow).where('billing', 'is', null).execute()
}

/** Stores the check value of the secret, unless there is one. */
export async function updateSecretCheck(db: Db, secret_check: string): Promise<void> {
  const update = db.updateTable('installation').set({ secret_check }).where('id', '=', theRow)
  await update.where('secret_check', 'is', null).execute()
}

/** Returns whether a plan was ever bought. */
export const hasPurchases = async (db: ReadDb): Promise<boolean> =>
  (await db.selectFrom('plan_terms').select('id').limit(1).executeTakeFirst()) !== undefined

/** Returns whether a user is an operator. */
export const hasOperator = async (db: ReadDb, userId: number): Promise<boolean> =>
  (await db.selectFrom('operators').select('user_id').where('user_id', '=', userId).executeTakeFirst()) !== undefined

/** Returns the operators, by id. */
export async function listOperatorIds(db: ReadDb): Promise<readonly number[]> {
  const rows = await db.selectFrom('operators').select('user_id').orderBy('user_id').execute()
  return rows.map(({ user_id }) => user_id)
}

/** Makes a user an operator. @returns false when the user is one already */
export async function insertOperator(
  db: Db | Trx,
  values: Insertable<InstallationTables['operators']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('operators')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Removes the right of an operator. */
export async function removeOperator(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('operators').where('user_id', '=', userId).execute()
}

/** Appends to the log of operators. */
export async function insertOperatorLog(
  trx: Trx,
  values: Insertable<InstallationTables['operator_log']>,
): Promise<void> {
  await trx.insertInto('operator_log').values(values).execute()
}

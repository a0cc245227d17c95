// SQL of promo codes, their amounts and their uses.
import type { Insertable, Selectable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import { type Currency, currencyCodes } from '#contract/entities/currencies.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { PromoTables } from '#server/db/tables-promos.ts'

/** A stored promo code. */
export type PromoRow = Selectable<PromoTables['promo_codes']>
/** Credit of a code by currency, minor units. It does not work in the other currencies. */
export type PromoAmounts = Readonly<Partial<Record<Currency, number>>>

/** Returns a code by its text in upper case. */
export const findPromo = (db: Db | Trx, code: string): Promise<PromoRow | undefined> =>
  db.selectFrom('promo_codes').selectAll().where('code', '=', code).executeTakeFirst()

/** Returns a code, locked until the transaction ends. */
export const lockPromo = (trx: Trx, id: number): Promise<PromoRow | undefined> =>
  trx.selectFrom('promo_codes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Returns the credit of codes by their ids; an empty one for a code that gives a plan. */
export async function listPromoAmounts(
  db: Db | Trx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PromoAmounts>> {
  const rows = await db
    .selectFrom('promo_amounts')
    .selectAll()
    .where('promo_id', 'in', [...ids, 0])
    .execute()
  const amounts = new Map<number, Partial<Record<Currency, number>>>(ids.map((id) => [id, {}]))
  for (const { promo_id, currency, minor } of rows) (amounts.get(promo_id) ?? {})[currency] = minor
  return amounts
}

/** Returns whether a project has used a code. */
export const hasUsed = async (db: Db | Trx, promoId: number, projectId: number): Promise<boolean> =>
  (await db
    .selectFrom('promo_uses')
    .select('promo_id')
    .where('promo_id', '=', promoId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()) !== undefined

/** Records a use of a locked code. */
export async function insertUse(trx: Trx, use: Insertable<PromoTables['promo_uses']>): Promise<void> {
  await trx.insertInto('promo_uses').values(use).execute()
  await trx
    .updateTable('promo_codes')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('id', '=', use.promo_id)
    .execute()
}

/** Inserts a code with its credit. @returns the row */
export async function insertPromo(
  trx: Trx,
  values: Insertable<PromoTables['promo_codes']>,
  amounts: PromoAmounts,
): Promise<PromoRow> {
  const row = await trx.insertInto('promo_codes').values(values).returningAll().executeTakeFirstOrThrow()
  for (const currency of currencyCodes) {
    const minor = amounts[currency]
    if (minor === undefined) continue
    await trx.insertInto('promo_amounts').values({ promo_id: row.id, currency, minor }).execute()
  }
  return row
}

/** Ends a code that has not ended. @returns the row; undefined when there is none */
export const updatePromoEnd = (trx: Trx, id: number, now: string): Promise<PromoRow | undefined> =>
  trx
    .updateTable('promo_codes')
    .set({ date_end: now })
    .where('id', '=', id)
    .where('date_end', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Returns a page of codes, newest first, and how many there are. */
export async function listPromos(db: Db, page: { readonly limit: number; readonly offset: number }) {
  const rows = await db
    .selectFrom('promo_codes')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(db.selectFrom('promo_codes')) }
}

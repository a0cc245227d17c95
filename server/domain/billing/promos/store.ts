// SQL of promo codes and their uses.
import type { Insertable, Selectable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { PromoTables } from '#server/db/tables-promos.ts'

/** A stored promo code. */
export type PromoRow = Selectable<PromoTables['promo_codes']>

/** Returns a code by its text in upper case. */
export const findPromo = (db: Db | Trx, code: string): Promise<PromoRow | undefined> =>
  db.selectFrom('promo_codes').selectAll().where('code', '=', code).executeTakeFirst()

/** Returns a code, locked until the transaction ends. */
export const lockPromo = (trx: Trx, id: number): Promise<PromoRow | undefined> =>
  trx.selectFrom('promo_codes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

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

/** Inserts a code. @returns the row */
export const insertPromo = (trx: Trx, values: Insertable<PromoTables['promo_codes']>): Promise<PromoRow> =>
  trx.insertInto('promo_codes').values(values).returningAll().executeTakeFirstOrThrow()

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

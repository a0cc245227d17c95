// SQL of payouts and of the ways to pay out.
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Currency } from '#contract/entities/project.ts'
import { countRows } from '#server/db/fragments.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { PromoTables } from '#server/db/tables-promos.ts'

/** A way to pay out. */
export type PayoutMethod = Selectable<PromoTables['payout_ways']>
/** A stored payout. */
export type PayoutRow = Selectable<PromoTables['payouts']>

/** Returns the active ways of a currency. */
export const listWaysFor = (db: Db | Trx, currency: Currency): Promise<PayoutMethod[]> =>
  db
    .selectFrom('payout_ways')
    .selectAll()
    .where('currency', '=', currency)
    .where('active', '=', 1)
    .orderBy('id')
    .execute()

/** Returns all ways. */
export const listWays = (db: Db | Trx): Promise<PayoutMethod[]> =>
  db.selectFrom('payout_ways').selectAll().orderBy('id').execute()

/** Returns a way. */
export const findWay = (db: Db | Trx, id: number): Promise<PayoutMethod | undefined> =>
  db.selectFrom('payout_ways').selectAll().where('id', '=', id).executeTakeFirst()

/** Inserts a way. @returns its id */
export async function insertWay(trx: Trx, values: Insertable<PromoTables['payout_ways']>): Promise<number> {
  const { id } = await trx.insertInto('payout_ways').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Updates a way. */
export async function updateWay(trx: Trx, id: number, change: Updateable<PromoTables['payout_ways']>): Promise<void> {
  await trx.updateTable('payout_ways').set(change).where('id', '=', id).execute()
}

/** Returns a payout. */
export const findPayout = (db: Db | Trx, id: number): Promise<PayoutRow | undefined> =>
  db.selectFrom('payouts').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns a payout, locked until the transaction ends. */
export const lockPayout = (trx: Trx, id: number): Promise<PayoutRow | undefined> =>
  trx.selectFrom('payouts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Returns the payout of an idempotency key. */
export const findPayoutByKey = (trx: Trx, projectId: number, key: string): Promise<PayoutRow | undefined> =>
  trx
    .selectFrom('payouts')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()

/** Counts the payouts of a project that wait. */
export async function countWaiting(trx: Trx, projectId: number): Promise<number> {
  return await countRows(trx.selectFrom('payouts').where('project_id', '=', projectId).where('status', '=', 'waiting'))
}

/** Inserts a payout. @returns its id */
export async function insertPayout(trx: Trx, values: Insertable<PromoTables['payouts']>): Promise<number> {
  const { id } = await trx.insertInto('payouts').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Updates a payout. */
export async function updatePayout(trx: Trx, id: number, change: Updateable<PromoTables['payouts']>): Promise<void> {
  await trx.updateTable('payouts').set(change).where('id', '=', id).execute()
}

/** Returns a page of payouts with their ways, newest first, of one project or with one status, and how many match. */
export async function listPayouts(
  db: Db,
  filter: { readonly projectId?: number; readonly status?: PayoutRow['status'] | undefined },
  page: { readonly limit: number; readonly offset: number },
) {
  const matching = () => {
    let query = db.selectFrom('payouts').innerJoin('payout_ways', 'payout_ways.id', 'payouts.way_id')
    if (filter.projectId !== undefined) query = query.where('payouts.project_id', '=', filter.projectId)
    if (filter.status !== undefined) query = query.where('payouts.status', '=', filter.status)
    return query
  }
  const rows = await matching()
    .innerJoin('projects', 'projects.id', 'payouts.project_id')
    .selectAll('payouts')
    .select(['payout_ways.title', 'projects.name as project_name'])
    .orderBy('payouts.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(matching()) }
}

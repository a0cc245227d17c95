// SQL of renewals and their tries.
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { LineName } from '#contract/entities/plan.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { PaperTables } from '#server/db/tables-papers.ts'

/** A renewal of one period. */
export type RenewalRow = Selectable<PaperTables['renewals']>
/** An attempt to charge it. */
export type TryRow = Selectable<PaperTables['renewal_tries']>

/** Inserts the renewal of a period, once. @returns whether it is new */
export async function insertRenewal(db: Db | Trx, values: Insertable<PaperTables['renewals']>): Promise<boolean> {
  const result = await db
    .insertInto('renewals')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
}

/** Changes a renewal. */
export async function updateRenewal(
  db: Db | Trx,
  id: number,
  values: Updateable<PaperTables['renewals']>,
): Promise<void> {
  await db.updateTable('renewals').set(values).where('id', '=', id).execute()
}

/** Returns the renewal of a period. */
export const findRenewalOf = (
  db: Db | Trx,
  { projectId, line, end }: { readonly projectId: number; readonly line: LineName; readonly end: string },
): Promise<RenewalRow | undefined> =>
  db
    .selectFrom('renewals')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('line', '=', line)
    .where('date_end', '=', end)
    .executeTakeFirst()

/** Returns renewals that are due and not leased, earliest first. */
export const listDueRenewals = (db: Db, now: string, limit: number): Promise<RenewalRow[]> =>
  db
    .selectFrom('renewals')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('date_next', '<=', now)
    .where('lease_until', '<=', now)
    .orderBy('date_next')
    .limit(limit)
    .execute()

/** Leases a due renewal. @returns undefined when another replica has it */
export const leaseRenewal = (db: Db, id: number, now: string, until: string): Promise<RenewalRow | undefined> =>
  db
    .updateTable('renewals')
    .set({ lease_until: until })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('date_next', '<=', now)
    .where('lease_until', '<=', now)
    .returningAll()
    .executeTakeFirst()

/** Returns the last try of a renewal. */
export const findLastTry = (db: Db | Trx, renewalId: number): Promise<TryRow | undefined> =>
  db
    .selectFrom('renewal_tries')
    .selectAll()
    .where('renewal_id', '=', renewalId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Inserts a try before its charge. */
export const insertTry = (db: Db | Trx, values: Insertable<PaperTables['renewal_tries']>): Promise<TryRow> =>
  db.insertInto('renewal_tries').values(values).returningAll().executeTakeFirstOrThrow()

/** Changes a try. */
export async function updateTry(
  db: Db | Trx,
  id: number,
  values: Updateable<PaperTables['renewal_tries']>,
): Promise<void> {
  await db.updateTable('renewal_tries').set(values).where('id', '=', id).execute()
}

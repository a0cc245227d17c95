// SQL of renewals and their tries.
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { LineName } from '#contract/entities/plan.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { PaperTables } from '#server/db/tables-papers.ts'

/** A renewal of one period. */
export type RenewalRow = Selectable<PaperTables['renewals']>
/** An attempt to charge it. */
export type TryRow = Selectable<PaperTables['renewal_tries']>

/** Kind of the jobs that try renewals. The key is the renewal. */
export const renewalKind = { kind: 'billing.renewal' } as const

/** Inserts the renewal of a period, once. @returns its id; null: it exists */
export async function insertRenewal(trx: Trx, values: Insertable<PaperTables['renewals']>): Promise<number | null> {
  const row = await trx
    .insertInto('renewals')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
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

/** Returns a renewal that waits; undefined for another one. */
export const findWaitingRenewal = (db: Db, id: number): Promise<RenewalRow | undefined> =>
  db.selectFrom('renewals').selectAll().where('id', '=', id).where('state', '=', 'waiting').executeTakeFirst()

/** Returns the renewals that wait. */
export async function listWaitingRenewals(db: Db): Promise<readonly number[]> {
  const rows = await db.selectFrom('renewals').select('id').where('state', '=', 'waiting').execute()
  return rows.map(({ id }) => id)
}

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

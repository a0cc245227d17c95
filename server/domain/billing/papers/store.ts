// SQL of papers and their numbers.
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { PaperTables } from '#server/db/tables-papers.ts'

/** A stored paper; `content` is a `Paper` as JSON. */
export type PaperRow = Selectable<PaperTables['papers']>

/**
 * Takes the next number of a series, and locks the series until the transaction ends: a number of a transaction that fails
 * is taken again.
 */
export async function upsertNumber(trx: Trx, series: string): Promise<number> {
  const { last_number } = await trx
    .insertInto('paper_series')
    .values({ series, last_number: 1 })
    .onConflict((conflict) =>
      conflict.column('series').doUpdateSet((eb) => ({ last_number: eb('paper_series.last_number', '+', 1) })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow()
  return last_number
}

/** Inserts a paper. @returns its id */
export async function insertPaper(trx: Trx, values: Insertable<PaperTables['papers']>): Promise<number> {
  const { id } = await trx.insertInto('papers').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Returns the paper of an event; undefined: not issued. */
export const findPaperOf = (db: Db | Trx, source: string): Promise<PaperRow | undefined> =>
  db.selectFrom('papers').selectAll().where('source', '=', source).executeTakeFirst()

/** Returns a paper of a project. */
export const findPaper = (db: Db | Trx, projectId: number, id: number): Promise<PaperRow | undefined> =>
  db.selectFrom('papers').selectAll().where('project_id', '=', projectId).where('id', '=', id).executeTakeFirst()

/** Returns the papers of a payment in order of issue. */
export const listPapers = (db: Db | Trx, projectId: number, paymentId: number): Promise<PaperRow[]> =>
  db
    .selectFrom('papers')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('payment_id', '=', paymentId)
    .orderBy('id')
    .execute()

/** Filter by project; null: papers of all projects. */
const ofProject = (db: ReadDb, projectId: number | null) =>
  db.selectFrom('papers').$if(projectId !== null, (query) => query.where('project_id', '=', projectId))

/** Returns the months (UTC) of issue with the number of their papers, newest first. @example 2026-11 */
export const listMonths = (
  db: ReadDb,
  projectId: number | null,
): Promise<{ readonly month: string; readonly papers: number }[]> =>
  ofProject(db, projectId)
    .select((eb) => [
      sql<string>`substr(${eb.ref('date_create')}, 1, 7)`.as('month'),
      eb.fn.countAll<number>().as('papers'),
    ])
    .groupBy('month')
    .orderBy('month', 'desc')
    .execute()

/** Returns a window of the papers of a month (UTC) in order of issue. */
export const listOfMonth = (
  db: ReadDb,
  projectId: number | null,
  month: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<PaperRow[]> =>
  ofProject(db, projectId)
    .selectAll()
    .where('date_create', '>=', month)
    // After every moment of the month, and before those of the next one.
    .where('date_create', '<', `${month}-99`)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()

/** Returns the name of a project, for a buyer without billing details. */
export async function getProjectName(db: Db | Trx, projectId: number): Promise<string> {
  const { name, fename } = await db
    .selectFrom('projects')
    .select(['name', 'fename'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return `${name} ${fename}`.trim()
}

/** Returns the tax that prices include in a country; undefined: none. */
export const findTaxRate = (
  db: Db | Trx,
  countryId: number,
): Promise<Selectable<PaperTables['tax_rates']> | undefined> =>
  db.selectFrom('tax_rates').selectAll().where('country_id', '=', countryId).executeTakeFirst()

/** Returns the taxes of all countries. */
export const listTaxRates = (db: Db | Trx): Promise<Selectable<PaperTables['tax_rates']>[]> =>
  db.selectFrom('tax_rates').selectAll().orderBy('country_id').execute()

/** Inserts or replaces the tax of a country. */
export async function upsertTaxRate(trx: Trx, values: Insertable<PaperTables['tax_rates']>): Promise<void> {
  await trx
    .insertInto('tax_rates')
    .values(values)
    .onConflict((conflict) => conflict.column('country_id').doUpdateSet(values))
    .execute()
}

/** Removes the tax of a country. */
export async function removeTaxRate(trx: Trx, countryId: number): Promise<void> {
  await trx.deleteFrom('tax_rates').where('country_id', '=', countryId).execute()
}

/** Returns the period of the plan that a payment bought. */
export async function findService(trx: Trx, paymentId: number) {
  const row = await trx
    .selectFrom('ledger_transactions as movement')
    .innerJoin('plan_periods as period', 'period.transaction_id', 'movement.id')
    .select(['period.date_start', 'period.date_end'])
    .where('movement.payment_id', '=', paymentId)
    .orderBy('period.id')
    .executeTakeFirst()
  return row && { start: row.date_start, end: row.date_end }
}

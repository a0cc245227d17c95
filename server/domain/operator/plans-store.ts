// SQL of the catalogues of all lines, as operators edit them.
import { type Insertable, sql, type Updateable } from 'kysely'
import type { LineName, Period } from '#contract/entities/plan.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { TariffTables } from '#server/db/tables-tariffs.ts'

/** Columns that the catalogues of all lines have; each has more. */
export type CatalogueRow = Readonly<Record<string, string | number | null>> & {
  readonly id: number
  readonly title: string
  readonly sort_index: number
}

/** The tables differ in columns that pass through unread, so they share the type of one. */
const tableOf = (line: LineName) => `${line}_plans` as 'restream_plans'

/** Returns every plan of a line in the order of its catalogue. */
export async function listCatalogue(db: ReadDb, line: LineName): Promise<CatalogueRow[]> {
  const rows = await db.selectFrom(tableOf(line)).selectAll().orderBy('sort_index').orderBy('id').execute()
  return rows as unknown as CatalogueRow[]
}

/** Returns a plan, and locks its row until the transaction ends. */
export async function lockPlan(trx: Trx, line: LineName, id: number): Promise<CatalogueRow | undefined> {
  const row = await trx.selectFrom(tableOf(line)).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row as unknown as CatalogueRow | undefined
}

export type PlanValues = Readonly<Record<string, string | number | null>>

/** Updates columns of a plan. */
export async function updatePlan(trx: Trx, line: LineName, id: number, values: PlanValues): Promise<void> {
  await trx
    .updateTable(tableOf(line))
    .set(values as Updateable<TariffTables['restream_plans']>)
    .where('id', '=', id)
    .execute()
}

/** Inserts a plan with all its columns. */
export async function insertPlan(trx: Trx, line: LineName, values: PlanValues): Promise<void> {
  await trx
    .insertInto(tableOf(line))
    .values(values as unknown as Insertable<TariffTables['restream_plans']>)
    .execute()
}

/** Returns the highest id and position of a line. */
export const findLast = (trx: ReadDb, line: LineName) =>
  trx
    .selectFrom(tableOf(line))
    .select(({ fn }) => [fn.max('id').as('id'), fn.max('sort_index').as('index')])
    .executeTakeFirstOrThrow()

/** Counts the projects by the plan of the line that runs at a moment. */
export async function countByPlan(db: ReadDb, line: LineName, now: string): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('plan_terms')
    .select(({ fn }) => ['plan_id', fn.count<number>('project_id').distinct().as('projects')])
    .where('line', '=', line)
    .where('date_start', '<=', now)
    .where('date_end', '>', now)
    .where('date_cancel', 'is', null)
    .groupBy('plan_id')
    .execute()
  return new Map(rows.map(({ plan_id, projects }) => [plan_id, Number(projects)]))
}

/** Returns the projects that see each unlisted plan of a line. */
export const listAssignments = (db: ReadDb, line: LineName) =>
  db.selectFrom('plan_projects').selectAll().where('line', '=', line).orderBy('project_id').execute()

/** Hides an unlisted plan from a project again. */
export async function removeAssignment(trx: Trx, line: LineName, planId: number, projectId: number): Promise<void> {
  await trx
    .deleteFrom('plan_projects')
    .where('line', '=', line)
    .where('plan_id', '=', planId)
    .where('project_id', '=', projectId)
    .execute()
}

/** Sets the discounts of a line. */
export async function updateDiscounts(
  trx: Trx,
  line: LineName,
  { month, year }: { readonly month: number; readonly year: number },
): Promise<void> {
  const values = { month_percent: month, year_percent: year }
  await trx
    .insertInto('plan_discounts')
    .values({ line, ...values })
    .onConflict((conflict) => conflict.column('line').doUpdateSet(values))
    .execute()
}

/** Sets whether plans are sold for a period. */
export async function updatePeriod(trx: Trx, name: Period, isSold: boolean): Promise<void> {
  await trx
    .updateTable('periods')
    .set({ active: isSold ? 1 : 0 })
    .where('name', '=', name)
    .execute()
}

/** Locks the catalogues until the transaction ends: changes of plans run one at a time. */
export async function lockCatalogues(trx: Trx): Promise<void> {
  await trx
    .selectFrom('installation')
    .select(sql<number>`1`.as('one'))
    .forUpdate()
    .execute()
}

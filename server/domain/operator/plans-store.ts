// SQL of the catalogues of all lines, as operators edit them.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { currencyCodes } from '#contract/entities/currencies.ts'
import { type LineName, type Period, periodNames } from '#contract/entities/plan.ts'
import type { Discounts } from '#server/domain/tariffs/catalog-rules.ts'
import { languages } from '#contract/core/codes.ts'
import type { Language } from '#contract/core/wire.ts'
import { planFields, priceParts } from '#contract/entities/plan-fields.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { TariffTables } from '#server/db/tables-tariffs.ts'
import { withPrices } from '#server/domain/tariffs/store.ts'

/** Prices of the rows of a plan by the fields that operators edit: `price_usd`, `channel_step_price_usd`. */
const priceFields = new Map(
  priceParts.flatMap((part) =>
    currencyCodes.map((currency) => {
      const name = `${part === 'base' ? '' : `${part}_`}price_${currency}`
      return [name, { part, currency }] as const
    }),
  ),
)

/** Names of a plan by the fields that operators edit: `title_ru`. */
const titleFields = new Map<string, Language>(languages.map((language) => [`title_${language}`, language]))

/** Columns that the catalogues of all lines have, and their prices as fields; each line has more columns. */
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
  return withOwnFields(db, line, rows)
}

type Row = Selectable<TariffTables['restream_plans']>

/** Adds the prices and names of plans to their rows as fields. */
async function withOwnFields(db: ReadDb, line: LineName, rows: readonly Row[]): Promise<CatalogueRow[]> {
  return (await withPrices(db, line, rows)).map(({ prices, titles, ...row }) => {
    const own = [...priceFields].filter(([name]) => name in planFields[line].shape)
    // Steps have a price in every currency.
    const fields = own.map(([name, { part, currency }]) => [
      name,
      prices[part][currency] ?? (part === 'base' ? null : 0),
    ])
    const names = [...titleFields].map(([name, language]) => [name, titles[language] ?? null])
    return { ...row, ...Object.fromEntries([...fields, ...names]) } as CatalogueRow
  })
}

/** Replaces the prices and names that are among the fields of a plan. @returns its columns */
async function takeOwnFields(trx: Trx, line: LineName, id: number, values: PlanValues): Promise<PlanValues> {
  for (const [name, { part, currency }] of priceFields) {
    const minor = values[name]
    if (minor === undefined) continue
    const price = { line, plan_id: id, part, currency, minor: Number(minor) }
    const key = ['line', 'plan_id', 'part', 'currency'] as const
    if (minor === null)
      await trx
        .deleteFrom('prices')
        .where((eb) => eb.and({ line, plan_id: id, part, currency }))
        .execute()
    else
      await trx
        .insertInto('prices')
        .values(price)
        .onConflict((conflict) => conflict.columns(key).doUpdateSet({ minor: price.minor }))
        .execute()
  }
  for (const [name, language] of titleFields) {
    const title = values[name]
    if (title === undefined) continue
    await trx
      .deleteFrom('plan_titles')
      .where((eb) => eb.and({ line, plan_id: id, language }))
      .execute()
    if (title !== null)
      await trx
        .insertInto('plan_titles')
        .values({ line, plan_id: id, language, title: String(title) })
        .execute()
  }
  return Object.fromEntries(Object.entries(values).filter(([name]) => !priceFields.has(name) && !titleFields.has(name)))
}

/** Returns why a plan is kept: it was bought, or a promo code gives it; null for a plan that can go. */
export async function findUseOf(db: ReadDb, line: LineName, id: number): Promise<'sold' | 'code' | null> {
  const ofPlan = { line, plan_id: id }
  const term = await db
    .selectFrom('plan_terms')
    .select('id')
    .where((eb) => eb.and(ofPlan))
    .limit(1)
    .execute()
  if (term.length > 0) return 'sold'
  const codes = await db.selectFrom('promo_codes').select('plan').where('type', '=', line).execute()
  return codes.some(({ plan }) => (JSON.parse(plan ?? '{}') as { planId?: number }).planId === id) ? 'code' : null
}

/** Removes a plan with its prices, names and assignments. */
export async function removePlan(trx: Trx, line: LineName, id: number): Promise<void> {
  for (const table of ['prices', 'plan_titles', 'plan_projects'] as const)
    await trx
      .deleteFrom(table as 'plan_titles')
      .where((eb) => eb.and({ line, plan_id: id }))
      .execute()
  await trx.deleteFrom(tableOf(line)).where('id', '=', id).execute()
}

/** Returns a plan, and locks its row until the transaction ends. */
export async function lockPlan(trx: Trx, line: LineName, id: number): Promise<CatalogueRow | undefined> {
  const rows = await trx.selectFrom(tableOf(line)).selectAll().where('id', '=', id).forUpdate().execute()
  return (await withOwnFields(trx, line, rows))[0]
}

export type PlanValues = Readonly<Record<string, string | number | null>>

/** Updates columns and prices of a plan. */
export async function updatePlan(trx: Trx, line: LineName, id: number, values: PlanValues): Promise<void> {
  const columns = await takeOwnFields(trx, line, id, values)
  await trx
    .updateTable(tableOf(line))
    .set(columns as Updateable<TariffTables['restream_plans']>)
    .where('id', '=', id)
    .execute()
}

/** Inserts a plan with all its columns and prices. */
export async function insertPlan(trx: Trx, line: LineName, id: number, values: PlanValues): Promise<void> {
  const columns = await takeOwnFields(trx, line, id, values)
  await trx
    .insertInto(tableOf(line))
    .values({ ...columns, id } as unknown as Insertable<TariffTables['restream_plans']>)
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
export async function updateDiscounts(trx: Trx, line: LineName, discounts: Discounts): Promise<void> {
  await trx
    .insertInto('period_discounts')
    .values(periodNames.map((period) => ({ line, period, percent: discounts[period] })))
    .onConflict((conflict) =>
      conflict.columns(['line', 'period']).doUpdateSet((eb) => ({ percent: eb.ref('excluded.percent') })),
    )
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

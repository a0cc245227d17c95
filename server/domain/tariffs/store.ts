// SQL of tariffs: plan catalogues of all lines, and the lock of a project. Terms are in subscriptions-store.ts.
import type { Selectable } from 'kysely'
import { byCurrency } from '#contract/entities/currencies.ts'
import type { Language } from '#contract/core/wire.ts'
import { byPeriod, type LineName, type Period } from '#contract/entities/plan.ts'
import type { PricePart } from '#contract/entities/plan-fields.ts'
import type { Currency } from '#contract/entities/project.ts'
import { everythingPlan } from '#server/db/first-plans.ts'
import { assignedPlans } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { TariffTables } from '#server/db/tables-tariffs.ts'
import type { Discounts, Titles } from './catalog-rules.ts'

/** A row of the plan catalogue. */
export type PlanRow = Selectable<TariffTables['restream_plans']>

/** Monthly prices of a plan in minor units. Without a price of `base` it is not for sale in the currency. */
export type Prices = Readonly<Record<PricePart, Readonly<Partial<Record<Currency, number>>>>>
/** A row with its prices and names. */
export type Priced<R> = R & { readonly prices: Prices; readonly titles: Titles }

/** Returns the name of a plan in a language. */
export const titleIn = (plan: { readonly title: string; readonly titles?: Titles }, language: Language): string =>
  plan.titles?.[language] ?? plan.title

/** Adds the prices and names of plans to their rows. A free plan costs nothing in a currency without a price. */
export async function withPrices<R extends { readonly id: number; readonly type?: unknown }>(
  db: ReadDb,
  line: LineName,
  rows: readonly R[],
): Promise<Priced<R>[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const found = await db.selectFrom('prices').selectAll().where('line', '=', line).where('plan_id', 'in', ids).execute()
  const named = await db
    .selectFrom('plan_titles')
    .selectAll()
    .where('line', '=', line)
    .where('plan_id', 'in', ids)
    .execute()
  return rows.map((row) => {
    const base = row.type === 'free' ? byCurrency(() => 0) : {}
    const prices: Record<PricePart, Partial<Record<Currency, number>>> = { base, channel_step: {}, bitrate_step: {} }
    for (const { plan_id, part, currency, minor } of found) if (plan_id === row.id) prices[part][currency] = minor
    const names = named.filter(({ plan_id }) => plan_id === row.id).map(({ language, title }) => [language, title])
    return { ...row, prices, titles: Object.fromEntries(names) as Titles }
  })
}

/** Adds the prices of a plan to its row. */
async function withItsPrices<R extends { readonly id: number }>(
  db: ReadDb,
  line: LineName,
  row: R,
): Promise<Priced<R>> {
  const [priced] = await withPrices(db, line, [row])
  return priced as Priced<R>
}

/** Returns the public catalogue in its order. */
export const listPlans = async (db: ReadDb): Promise<Priced<PlanRow>[]> =>
  withPrices(
    db,
    'restream',
    await db.selectFrom('restream_plans').selectAll().where('listed', '=', 1).orderBy('sort_index').execute(),
  )

/** Returns the plans that a project may see, for sale or not: the public ones, and those assigned to it. */
export async function listPlansFor(db: ReadDb, projectId: number): Promise<Priced<PlanRow>[]> {
  const rows = await db
    .selectFrom('restream_plans')
    .selectAll()
    .where(({ or, eb }) => or([eb('listed', '=', 1), eb('id', 'in', assignedPlans(db, projectId, 'restream'))]))
    .orderBy('sort_index')
    .execute()
  return withPrices(db, 'restream', rows)
}

/** Returns a plan, public or not. */
export const getPlan = (db: ReadDb, id: number): Promise<PlanRow> =>
  db.selectFrom('restream_plans').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Returns plans by id, public or not. */
export async function listPlansById(db: ReadDb, ids: readonly number[]): Promise<ReadonlyMap<number, PlanRow>> {
  const rows = await db.selectFrom('restream_plans').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns a plan with its prices, public or not. */
export const getPricedPlan = async (db: ReadDb, id: number): Promise<Priced<PlanRow>> =>
  withItsPrices(db, 'restream', await getPlan(db, id))

/** Returns the plan of projects without a bought one. Cached: every query of a limit needs it. */
export const getFreePlan = (db: ReadDb): Promise<PlanRow> => cachedPlan(db, 'free')

/** Returns the plan of all projects while plans do not apply. Cached as `getFreePlan`. */
export const getEverythingPlan = (db: ReadDb): Promise<PlanRow> => cachedPlan(db, 'everything')

/** Changes the limits of the plan of all projects while plans do not apply. */
export async function updateEverythingPlan(
  trx: Trx,
  limits: Pick<PlanRow, 'channel_max' | 'video_storage'>,
): Promise<void> {
  await trx.updateTable('restream_plans').set(limits).where('id', '=', everythingPlan.id).execute()
}

/** Drops the cached plans after a change of the catalogue. Each replica calls it. */
export const forgetPlans = (db: Db | Trx): void => void cachedPlans.delete(db)

const builtIn = {
  free: (db: ReadDb) =>
    db.selectFrom('restream_plans').selectAll().where('type', '=', 'free').executeTakeFirstOrThrow(),
  everything: (db: ReadDb) => getPlan(db, everythingPlan.id),
}

/** Reads a plan once per database and process. */
function cachedPlan(db: ReadDb, name: keyof typeof builtIn): Promise<PlanRow> {
  const cached = cachedPlans.get(db) ?? {}
  cachedPlans.set(db, cached)
  const known = cached[name]
  if (known) return known
  const read = builtIn[name](db)
  cached[name] = read
  read.catch(() => cachedPlans.delete(db))
  return read
}
const cachedPlans = new WeakMap<ReadDb, Partial<Record<keyof typeof builtIn, Promise<PlanRow>>>>()

/** Discounts of a line by period in percent, and the periods that are sold. */
export interface PeriodTerms extends Discounts {
  readonly sold: Period[]
}

/** Returns the discounts of a line with the periods that are sold, as catalogues show them. */
export async function getPeriodTerms(db: ReadDb, line: LineName): Promise<PeriodTerms> {
  const sold = (await listPeriods(db)).filter(({ active }) => active === 1).map(({ name }) => name)
  return { ...(await getDiscounts(db, line)), sold }
}

/** Returns all periods in their order. */
export const listPeriods = (db: ReadDb) => db.selectFrom('periods').selectAll().orderBy('sort_index').execute()

/** Returns the discounts of a line by period, in percent. */
export async function getDiscounts(db: ReadDb, line: LineName): Promise<Discounts> {
  const rows = await db.selectFrom('period_discounts').selectAll().where('line', '=', line).execute()
  return byPeriod((name) => rows.find(({ period }) => period === name)?.percent ?? 0)
}

/** Returns whether a plan exists, and keeps it until the transaction ends. */
export const lockPlan = async (trx: Trx, line: LineName, id: number): Promise<boolean> =>
  (await trx
    .selectFrom(`${line}_plans` as 'restream_plans')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()) !== undefined

/** Lets a project see and buy a plan that is not public. */
export async function insertPlanProject(
  db: Db | Trx,
  line: LineName,
  planId: number,
  projectId: number,
): Promise<void> {
  await db
    .insertInto('plan_projects')
    .values({ line, plan_id: planId, project_id: projectId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Locks a project until the transaction ends, so that counting and changing are one step. */
export async function lockProject(trx: Trx, projectId: number): Promise<void> {
  await trx.selectFrom('projects').select('id').where('id', '=', projectId).forUpdate().executeTakeFirstOrThrow()
}

/** Returns when the broadcasts of projects began, for those on air. */
export async function listAirStarts(db: ReadDb, projectIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (projectIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('broadcasts')
    .select(['project_id', 'date_create'])
    .where('project_id', 'in', projectIds)
    .where('date_end', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.project_id, row.date_create]))
}

export type TranscodingPlanRow = Selectable<TariffTables['transcoding_plans']>
export type StoragePlanRow = Selectable<TariffTables['storage_plans']>

/** Returns the public transcoding plans in their order. */
export const listTranscodingPlans = async (db: ReadDb): Promise<Priced<TranscodingPlanRow>[]> =>
  withPrices(
    db,
    'transcoding',
    await db.selectFrom('transcoding_plans').selectAll().where('listed', '=', 1).orderBy('sort_index').execute(),
  )

/** Returns the transcoding plans that a project may see: the public ones, and those assigned to it. */
export async function listTranscodingPlansFor(db: ReadDb, projectId: number): Promise<Priced<TranscodingPlanRow>[]> {
  const rows = await db
    .selectFrom('transcoding_plans')
    .selectAll()
    .where(({ or, eb }) => or([eb('listed', '=', 1), eb('id', 'in', assignedPlans(db, projectId, 'transcoding'))]))
    .orderBy('sort_index')
    .execute()
  return withPrices(db, 'transcoding', rows)
}

/** Returns a transcoding plan, public or not. */
export const getTranscodingPlan = async (db: ReadDb, id: number): Promise<Priced<TranscodingPlanRow>> =>
  withItsPrices(
    db,
    'transcoding',
    await db.selectFrom('transcoding_plans').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )

/** Returns the transcoding plan of projects without a bought one. */
export const getFreeTranscodingPlan = (db: ReadDb): Promise<TranscodingPlanRow> =>
  db.selectFrom('transcoding_plans').selectAll().where('type', '=', 'free').orderBy('id').executeTakeFirstOrThrow()

/** Returns the public storage plans in their order. */
export const listStoragePlans = async (db: ReadDb): Promise<Priced<StoragePlanRow>[]> =>
  withPrices(
    db,
    'storage',
    await db.selectFrom('storage_plans').selectAll().where('listed', '=', 1).orderBy('sort_index').execute(),
  )

/** Returns the storage plans that a project may see: the public ones, and those assigned to it. */
export async function listStoragePlansFor(db: ReadDb, projectId: number): Promise<Priced<StoragePlanRow>[]> {
  const rows = await db
    .selectFrom('storage_plans')
    .selectAll()
    .where(({ or, eb }) => or([eb('listed', '=', 1), eb('id', 'in', assignedPlans(db, projectId, 'storage'))]))
    .orderBy('sort_index')
    .execute()
  return withPrices(db, 'storage', rows)
}

/** Returns a storage plan, public or not. */
export const getStoragePlan = async (db: ReadDb, id: number): Promise<Priced<StoragePlanRow>> =>
  withItsPrices(
    db,
    'storage',
    await db.selectFrom('storage_plans').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )

// SQL of tariffs: plan catalogue, wallets and ledger, and the lock of a project. Terms are in subscriptions-store.ts.
import type { Insertable, Selectable } from 'kysely'
import type { LineName } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { everythingPlan } from '#server/db/first-plans.ts'
import { assignedPlans } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { TariffTables } from '#server/db/tables-tariffs.ts'
import type { Balance } from './balance.ts'

/** A row of the plan catalogue. */
export type PlanRow = Selectable<TariffTables['restream_plans']>

/** Returns the public catalogue in its order. */
export const listPlans = (db: ReadDb): Promise<PlanRow[]> =>
  db.selectFrom('restream_plans').selectAll().where('listed', '=', 1).orderBy('sort_index').execute()

/** Returns the plans that a project may see, for sale or not: the public ones, and those assigned to it. */
export const listPlansFor = (db: ReadDb, projectId: number): Promise<PlanRow[]> =>
  db
    .selectFrom('restream_plans')
    .selectAll()
    .where(({ or, eb }) => or([eb('listed', '=', 1), eb('id', 'in', assignedPlans(db, projectId, 'restream'))]))
    .orderBy('sort_index')
    .execute()

/** Returns a plan, public or not. */
export const getPlan = (db: ReadDb, id: number): Promise<PlanRow> =>
  db.selectFrom('restream_plans').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Returns the plan of projects without a bought one. Cached: every query of a limit needs it. */
export const getFreePlan = (db: ReadDb): Promise<PlanRow> => cachedPlan(db, 'free')

/** Returns the plan of all projects while plans do not apply. Cached as `getFreePlan`. */
export const getEverythingPlan = (db: ReadDb): Promise<PlanRow> => cachedPlan(db, 'everything')

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

/** Returns the discounts of a line by period, in percent. */
export async function getDiscounts(
  db: ReadDb,
  line: LineName,
): Promise<{ readonly month: number; readonly year: number }> {
  const row = await db
    .selectFrom('plan_discounts')
    .select(['month_percent as month', 'year_percent as year'])
    .where('line', '=', line)
    .executeTakeFirst()
  return row ?? { month: 0, year: 0 }
}

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

/** Returns when the broadcast of a project began; undefined off air. */
export async function findAirStart(db: ReadDb, projectId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('broadcasts')
    .select('date_create')
    .where('project_id', '=', projectId)
    .where('date_end', 'is', null)
    .executeTakeFirst()
  return row?.date_create
}

/** Returns the currency that a project pays in. */
export async function getCurrency(db: ReadDb, projectId: number): Promise<Currency> {
  const row = await db.selectFrom('projects').select('currency').where('id', '=', projectId).executeTakeFirstOrThrow()
  return row.currency
}

/** Returns the balance of a project; undefined for one that never had money. */
export const findBalance = (db: ReadDb, projectId: number): Promise<Balance | undefined> =>
  selectBalance(db, projectId).executeTakeFirst()

/** Creates the wallet of a project if it has none, and locks it until the transaction ends. */
export async function lockBalance(
  trx: Trx,
  projectId: number,
): Promise<{ readonly held: Balance; readonly debt: number }> {
  await trx
    .insertInto('wallets')
    .values({ project_id: projectId, bonus_minor: 0, payment_minor: 0, profit_minor: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await selectBalance(trx, projectId).select('debt_minor').forUpdate().executeTakeFirstOrThrow()
  const { debt_minor: debt, ...held } = row
  return { held, debt }
}

/** Returns what a project owes, minor units. */
export async function getDebt(db: ReadDb, projectId: number): Promise<number> {
  const row = await selectBalance(db, projectId).select('debt_minor').executeTakeFirst()
  return row?.debt_minor ?? 0
}

const selectBalance = (db: ReadDb, projectId: number) =>
  db
    .selectFrom('wallets')
    .select(['bonus_minor as bonus', 'payment_minor as payment', 'profit_minor as profit'])
    .where('project_id', '=', projectId)

/** Sets the balance and the debt of a locked wallet. */
export async function updateBalance(
  trx: Trx,
  projectId: number,
  { bonus, payment, profit }: Balance,
  debt: number,
): Promise<void> {
  await trx
    .updateTable('wallets')
    .set({ bonus_minor: bonus, payment_minor: payment, profit_minor: profit, debt_minor: debt })
    .where('project_id', '=', projectId)
    .execute()
}

/** Inserts a ledger transaction. @returns its id */
export async function insertLedgerTransaction(
  trx: Trx,
  values: Insertable<Tables['ledger_transactions']>,
): Promise<number> {
  const { id } = await trx.insertInto('ledger_transactions').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Inserts the entries of a ledger transaction. */
export async function insertLedgerEntries(
  trx: Trx,
  values: readonly Insertable<Tables['ledger_entries']>[],
): Promise<void> {
  if (values.length > 0) await trx.insertInto('ledger_entries').values(values).execute()
}

/** Returns the request that was booked under an idempotency key; null for an unused key. */
export async function findByKey(
  trx: ReadDb,
  projectId: number,
  key: string,
): Promise<{ request: string | null } | null> {
  const row = await trx
    .selectFrom('ledger_transactions')
    .select('request')
    .where('project_id', '=', projectId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return row ?? null
}

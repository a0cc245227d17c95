// Catalogues of plans, changed by operators. What was sold is stored with its term, and stays.
import type { LineName, Period } from '#contract/entities/plan.ts'
import { iso } from '#server/core/clock.ts'
import type { Reading, Services, User } from '#server/core/context.ts'
import { NotFoundError, RuleError } from '#server/core/errors.ts'
import { everythingPlan } from '#server/db/first-plans.ts'
import type { Trx } from '#server/db/open.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'
import type { Discounts } from '#server/domain/tariffs/catalog-rules.ts'
import { insertPlanProject, getDiscounts, listPeriods } from '#server/domain/tariffs/store.ts'
import { brokenField, firstValues } from './plan-rules.ts'
import {
  type CatalogueRow,
  countByPlan,
  findUseOf,
  findLast,
  insertPlan,
  listAssignments,
  listCatalogue,
  lockCatalogues,
  lockPlan,
  type PlanValues,
  removeAssignment,
  removePlan,
  updateDiscounts,
  updatePeriod,
  updatePlan,
} from './plans-store.ts'
import { changed } from './settings.ts'
import { countProjects, findProjectOf } from './store.ts'

type Part = Pick<Services, 'db' | 'clock' | 'caches'>
type Operator = Pick<User, 'id'> | null

/** Steps of `sort_index`, so that a migration can insert a plan between two. */
const indexStep = 10

/** Returns whether a plan is in no catalogue: that of installations without plans. */
export const isBuiltIn = (line: LineName, id: number): boolean => line === 'restream' && id === everythingPlan.id

/** Returns the editable plans of a line, with the number of projects in which each runs. */
export async function readLine({ db, clock }: Reading<Pick<Services, 'db' | 'clock'>>, line: LineName) {
  const now = iso(clock.now())
  const counts = await countByPlan(db, line, now)
  const rows = (await listCatalogue(db, line)).filter(({ id }) => !isBuiltIn(line, id))
  const { all, paid } = await countProjects(db, line, now)
  const assignments = await listAssignments(db, line)
  return rows.map((row) => ({
    row,
    // The free plan runs where nothing is bought.
    projects: row['type'] === 'free' ? all - paid : (counts.get(row.id) ?? 0),
    assigned: assignments.filter(({ plan_id }) => plan_id === row.id).map(({ project_id }) => project_id),
  }))
}

/**
 * Saves a plan. @param id null: a new plan at the end of the catalogue
 * @returns its id
 * @throws RuleError `PlanInvalid` with `{field, reason}`, NotFoundError for an unknown plan
 */
export const savePlan = (
  services: Part,
  user: Operator,
  { line, id, values, reason }: { line: LineName; id: number | null; values: PlanValues; reason: string },
): Promise<number> =>
  changed(services, async (trx) => {
    await lockCatalogues(trx)
    const known = id === null ? undefined : await lockEditable(trx, line, id)
    // Sold terms and the free plan depend on the type.
    const after: PlanValues = known ? { ...values, ...typeOf(known) } : values
    const broken = brokenField(line, after, known !== undefined)
    if (broken) throw new RuleError(`PlanInvalid_${broken.reason}`, { ...broken })
    const planId = known?.id ?? (await insertNew(trx, line, after))
    if (known) await updatePlan(trx, line, planId, after)
    const change = { before: known && { line, ...known }, after: { line, id: planId, ...after } }
    await logOperator(trx, services.clock, { userId: user?.id ?? null, action: 'plan', ...change, reason })
    return planId
  })

/** Reasons why a plan cannot be removed. */
const kept = { sold: 'PlanSold', code: 'PlanHasCode' } as const

/**
 * Removes a plan that was never bought. Buying holds the row of its plan, so that a purchase is either seen or refused.
 * @throws RuleError `PlanSold`; `PlanHasCode` for a plan that a promo code gives; `PlanInvalid` for the free one
 */
export const deletePlan = (services: Part, user: Operator, line: LineName, id: number, reason: string) =>
  changed(services, async (trx) => {
    await lockCatalogues(trx)
    const before = await lockEditable(trx, line, id)
    if (before['type'] === 'free') throw new RuleError('PlanInvalid_free', { field: 'type', reason: 'free' })
    const use = await findUseOf(trx, line, id)
    if (use) throw new RuleError(kept[use])
    await removePlan(trx, line, id)
    const change = { userId: user?.id ?? null, action: 'plan_removed', before: { line, ...before }, reason }
    await logOperator(trx, services.clock, change)
  })

/** Sets the order of a catalogue. Plans that are not named follow in their order. */
export const orderPlans = (services: Part, user: Operator, line: LineName, ids: readonly number[], reason: string) =>
  changed(services, async (trx) => {
    await lockCatalogues(trx)
    const before = (await listCatalogue(trx, line)).map((row) => row.id)
    const unknown = ids.find((id) => !before.includes(id))
    if (unknown !== undefined) throw planNotFound()
    const after = [...new Set([...ids, ...before])]
    for (const [at, id] of after.entries()) await updatePlan(trx, line, id, { sort_index: (at + 1) * indexStep })
    const change = { before: { line, ids: before }, after: { line, ids: after } }
    await logOperator(trx, services.clock, { userId: user?.id ?? null, action: 'plan_order', ...change, reason })
  })

/** Sets the discounts of a line, percent. */
export const setDiscounts = (services: Part, user: Operator, line: LineName, discounts: Discounts, reason: string) =>
  changed(services, async (trx) => {
    await lockCatalogues(trx)
    const before = { line, ...(await getDiscounts(trx, line)) }
    await updateDiscounts(trx, line, discounts)
    const after = { line, ...discounts }
    await logOperator(trx, services.clock, { userId: user?.id ?? null, action: 'discounts', before, after, reason })
  })

/**
 * Sells plans for a period, or stops. Bought plans continue, are renewed, and can be prolonged by their period.
 * @throws RuleError `LastPeriod` when no other period is sold
 */
export const setPeriod = (services: Part, user: Operator, period: Period, isSold: boolean, reason: string) =>
  changed(services, async (trx) => {
    await lockCatalogues(trx)
    const periods = await listPeriods(trx)
    if (!isSold && !periods.some(({ name, active }) => name !== period && active === 1))
      throw new RuleError('LastPeriod')
    const before = { period, sold: periods.some(({ name, active }) => name === period && active === 1) }
    await updatePeriod(trx, period, isSold)
    const after = { period, sold: isSold }
    await logOperator(trx, services.clock, { userId: user?.id ?? null, action: 'period', before, after, reason })
  })

/** Shows an unlisted plan to a project, or hides it. A bought plan continues until its end. */
export const setAssigned = (
  services: Part,
  user: Operator,
  {
    line,
    planId,
    projectId,
    assigned,
  }: {
    readonly line: LineName
    readonly planId: number
    readonly projectId: number
    readonly assigned: boolean
  },
  reason: string,
) =>
  changed(services, async (trx) => {
    const plan = await lockEditable(trx, line, planId)
    if (!(await findProjectOf(trx, projectId))) throw new NotFoundError('ProjectNotFound')
    if (assigned) await insertPlanProject(trx, line, planId, projectId)
    else await removeAssignment(trx, line, planId, projectId)
    const after = { line, plan: plan.title, assigned }
    await logOperator(trx, services.clock, {
      userId: user?.id ?? null,
      action: 'plan_assign',
      projectId,
      after,
      reason,
    })
  })

async function insertNew(trx: Trx, line: LineName, values: PlanValues): Promise<number> {
  const last = await findLast(trx, line)
  const id = (last.id ?? 0) + 1
  await insertPlan(trx, line, id, { ...firstValues[line], ...values, sort_index: (last.index ?? 0) + indexStep })
  return id
}

async function lockEditable(trx: Trx, line: LineName, id: number): Promise<CatalogueRow> {
  const known = isBuiltIn(line, id) ? undefined : await lockPlan(trx, line, id)
  if (!known) throw planNotFound()
  return known
}

const planNotFound = () => new NotFoundError('PlanNotFound')

/** The type of a plan, for lines that have one. */
const typeOf = (row: CatalogueRow): PlanValues => (row['type'] === undefined ? {} : { type: row['type'] })

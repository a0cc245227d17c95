// Catalogues of all lines over HTTP.
import { type Catalogue, plans } from '#contract/areas/operator/plans.ts'
import type { LineName } from '#contract/entities/plan.ts'
import type { Context } from '#server/core/context.ts'
import { implement } from '#server/core/implement.ts'
import {
  deletePlan,
  orderPlans,
  readLine,
  savePlan,
  setAssigned,
  setDiscounts,
  setPeriod,
} from '#server/domain/operator/plans.ts'
import { fieldsOf, type PlanFields, valuesOf } from '#server/domain/operator/plan-rules.ts'
import { getDiscounts, listPeriods } from '#server/domain/tariffs/store.ts'

export const planRoutes = implement(plans, {
  list: async (_, ctx) => ({
    restream: await presentLine(ctx, 'restream'),
    transcoding: await presentLine(ctx, 'transcoding'),
    storage: await presentLine(ctx, 'storage'),
    record_limit: ctx.config.recordLimitGb,
    discounts: {
      restream: { ...(await getDiscounts(ctx.db, 'restream')) },
      transcoding: { ...(await getDiscounts(ctx.db, 'transcoding')) },
      storage: { ...(await getDiscounts(ctx.db, 'storage')) },
    },
    periods: (await listPeriods(ctx.db)).map(({ name, active }) => ({ period: name, sold: active === 1 })),
  }),
  saveRestream: ({ plan_id, reason, ...fields }, ctx) => save(ctx, 'restream', fields, { id: plan_id, reason }),
  saveTranscoding: ({ plan_id, reason, ...fields }, ctx) => save(ctx, 'transcoding', fields, { id: plan_id, reason }),
  saveStorage: ({ plan_id, reason, ...fields }, ctx) => save(ctx, 'storage', fields, { id: plan_id, reason }),
  remove: async ({ line, plan_id, reason }, ctx) => {
    await deletePlan(ctx, ctx.user, line, plan_id, reason)
    return { success: true }
  },
  order: async ({ line, plan_ids, reason }, ctx) => {
    await orderPlans(ctx, ctx.user, line, plan_ids, reason)
    return { success: true }
  },
  setDiscount: async ({ line, reason, ...discounts }, ctx) => {
    await setDiscounts(ctx, ctx.user, line, discounts, reason)
    return { success: true }
  },
  setPeriod: async ({ period, sold, reason }, ctx) => {
    await setPeriod(ctx, ctx.user, period, sold, reason)
    return { success: true }
  },
  assign: async ({ line = 'restream', plan_id: planId, target_project_id: projectId, assigned, reason }, ctx) => {
    await setAssigned(ctx, ctx.user, { line, planId, projectId, assigned }, reason)
    return { success: true }
  },
})

async function save(
  ctx: Context<'operator'>,
  line: LineName,
  fields: PlanFields,
  { id = null, reason }: { readonly id?: number | null | undefined; readonly reason: string },
) {
  return { id: await savePlan(ctx, ctx.user, { line, id, values: valuesOf(fields), reason }) }
}

async function presentLine<L extends LineName>(ctx: Context<'operator'>, line: L): Promise<Catalogue[L]> {
  const results = (await readLine(ctx, line)).map(({ row, projects, assigned }) => ({
    ...fieldsOf(line, row),
    id: row.id,
    index: row.sort_index,
    projects,
    assigned,
  }))
  // The columns are those of the line's table; the edge checks the response against the contract.
  return results as unknown as Catalogue[L]
}

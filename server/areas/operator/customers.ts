// Projects of customers over HTTP, and the log of operators.
import { customers } from '#contract/areas/operator/customers.ts'
import { implement } from '#server/core/implement.ts'
import { addNote, getCustomer, suspendProject } from '#server/domain/operator/customer-page.ts'
import { changeBalance, findCustomers, giftPlan } from '#server/domain/operator/customers.ts'
import { changePlan, getPlanChange } from '#server/domain/operator/plan-change.ts'
import { countLog, listLog } from '#server/domain/operator/store.ts'

const nameOf = (...parts: readonly (string | null)[]): string => parts.filter(Boolean).join(' ')

export const customerRoutes = implement(customers, {
  search: async ({ query = '', debt: hasDebt = false, limit, offset }, ctx) => {
    const { total, results } = await findCustomers(ctx, { query: query.trim(), hasDebt }, { limit, offset })
    return { total, limit, offset, results }
  },
  get: ({ target_project_id: projectId }, ctx) => getCustomer(ctx, projectId),
  note: async ({ target_project_id: projectId, text }, ctx) => {
    await addNote(ctx, ctx.user, projectId, text)
    return { success: true }
  },
  suspend: async ({ target_project_id: projectId, suspended: isSuspended, reason }, ctx) => {
    await suspendProject(ctx, ctx.user, { projectId, isSuspended, reason })
    return { success: true }
  },
  changeBalance: async ({ target_project_id: projectId, balance, amount, reason, idempotency_key: key }, ctx) => {
    await changeBalance(ctx, ctx.user, { projectId, balance, amount, reason, key })
    return { success: true }
  },
  gift: async ({ target_project_id: projectId, line, plan_id: planId, period, reason, idempotency_key: key }, ctx) => {
    await giftPlan(ctx, ctx.user, { projectId, line, planId, period, reason, key })
    return { success: true }
  },
  planChange: ({ target_project_id: projectId, line, plan_id: planId, period }, ctx) =>
    getPlanChange(ctx, { projectId, line, planId, period }),
  changePlan: async ({ target_project_id: projectId, line, plan_id: planId, period, ...rest }, ctx) => {
    const { quote_total: quotedTotal, reason, idempotency_key: key } = rest
    await changePlan(ctx, ctx.user, { projectId, line, planId, period, quotedTotal, reason, key })
    return { success: true }
  },
  log: async ({ target_project_id: projectId, limit, offset }, { db }) => ({
    total: await countLog(db, projectId),
    limit,
    offset,
    results: (await listLog(db, projectId, { limit, offset })).map((row) => ({
      id: row.id,
      action: row.action,
      user: row.user_id === null ? null : nameOf(row.first_name, row.last_name),
      project_id: row.project_id,
      project: row.project,
      before: row.before,
      after: row.after,
      reason: row.reason,
      date_create: row.date_create,
    })),
  }),
})

// Plans of all projects over HTTP.
import { subscriptions } from '#contract/areas/operator/subscriptions.ts'
import { iso } from '#server/core/clock.ts'
import { implement } from '#server/core/implement.ts'
import { listSubscriptions, sumMonthly } from '#server/domain/operator/subscriptions-store.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'

export const subscriptionRoutes = implement(subscriptions, {
  list: async ({ view, target_project_id: projectId, date_from, date_to, limit, offset }, { db, clock }) => {
    const filter = { view, projectId, now: iso(clock.now()), from: utc(date_from), to: utc(date_to) }
    const { rows, total } = await listSubscriptions(db, filter, { limit, offset })
    const results = await Promise.all(
      rows.map(async ({ id, plan_id, renews, amount, ...row }) => ({
        term_id: id,
        ...row,
        plan: (await lineOf(row.line).plan(db, plan_id)).title,
        renews: renews === 1,
        amount: Number(amount),
      })),
    )
    return { total, limit, offset, results, monthly: await sumMonthly(db, filter) }
  },
})

const utc = (date: string | undefined): string | undefined => date && iso(new Date(date))

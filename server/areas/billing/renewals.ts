// Renewals of plans over HTTP. The switches: server/areas/tariffs.
import { renewals } from '#contract/areas/billing/renewals.ts'
import { implement } from '#server/core/implement.ts'
import { listForecasts } from '#server/domain/billing/renewals/forecast.ts'
import { retryRenewal } from '#server/domain/billing/renewals/plan.ts'

export const renewalRoutes = implement(renewals, {
  list: async ({ project_id }, ctx) => ({ results: await listForecasts(ctx, project_id) }),

  retry: async ({ project_id, line }, ctx) => {
    await retryRenewal(ctx, project_id, line)
    return { success: true }
  },
})

// Renewals of plans over HTTP. The switches: server/areas/tariffs.
import { renewals } from '#contract/areas/billing/renewals.ts'
import { lineNames } from '#contract/entities/plan.ts'
import { implement } from '#server/core/implement.ts'
import { retryRenewal, shownRenewal } from '#server/domain/billing/renewals/plan.ts'

export const renewalRoutes = implement(renewals, {
  list: async ({ project_id }, ctx) => {
    const shown = await Promise.all(lineNames.map((line) => shownRenewal(ctx, project_id, line)))
    return { results: shown.filter((one) => one !== null) }
  },

  retry: async ({ project_id, line }, ctx) => {
    await retryRenewal(ctx, project_id, line)
    return { success: true }
  },
})

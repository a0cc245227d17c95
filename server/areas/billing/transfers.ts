// Transfers between projects of one owner over HTTP.
import { transfers } from '#contract/areas/billing/transfers.ts'
import { implement } from '#server/core/implement.ts'
import { moveBalance } from '#server/domain/billing/payouts/transfers.ts'

export const transferRoutes = implement(transfers, {
  move: async ({ project_id, to_project_id, amount, idempotency_key }, ctx) => {
    await moveBalance(ctx, ctx.user, { from: project_id, to: to_project_id, amount, key: idempotency_key })
    return { success: true }
  },
})

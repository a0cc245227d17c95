// Health of the money over HTTP.
import { health } from '#contract/areas/operator/health.ts'
import { implement } from '#server/core/implement.ts'
import { getLedgerCheck } from '#server/domain/operator/ledger-check-store.ts'
import { listProviders } from '#server/domain/operator/payments-list.ts'
import { getReceiptHealth, resolveReceipt } from '#server/domain/operator/receipts.ts'

export const healthRoutes = implement(health, {
  get: async (_, ctx) => {
    const { unbalanced, differing, ...sums } = await getLedgerCheck(ctx.db)
    return {
      providers: await listProviders(ctx),
      ledger: {
        ...sums,
        unbalanced: [...unbalanced],
        differing: [...new Set(differing.map(({ projectId }) => projectId))],
      },
      receipts: await getReceiptHealth(ctx.db),
    }
  },
  resolveReceipt: async ({ receipt_id: id, again: isAgain, reason }, ctx) => {
    await resolveReceipt(ctx, ctx.user, { id, isAgain, reason })
    return { success: true }
  },
})

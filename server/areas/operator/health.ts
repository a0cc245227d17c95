// Health of the system, of the money, of jobs and of the bus over HTTP.
import { health } from '#contract/areas/operator/health.ts'
import { iso } from '#server/core/clock.ts'
import { implement } from '#server/core/implement.ts'
import {
  getJobHealth,
  getReceiptHealth,
  giveUpJob,
  resolveReceipt,
  runFailingJob,
} from '#server/domain/operator/health.ts'
import { getLedgerCheck } from '#server/domain/operator/ledger-check-store.ts'
import { getSystemHealth } from '#server/domain/operator/system-health.ts'
import { listProviders } from '#server/domain/operator/payments-list.ts'

export const healthRoutes = implement(health, {
  get: async (_, ctx) => {
    const { isUp: connected, lost, lostAt } = ctx.bus.state()
    const { unbalanced, differing, ...sums } = await getLedgerCheck(ctx.db)
    return {
      system: await getSystemHealth(ctx),
      providers: await listProviders(ctx),
      ledger: {
        ...sums,
        unbalanced: [...unbalanced],
        differing: [...new Set(differing.map(({ projectId }) => projectId))],
      },
      receipts: await getReceiptHealth(ctx.db),
      jobs: await getJobHealth(ctx.db),
      bus: { connected, lost, date_loss: lostAt === null ? null : iso(new Date(lostAt)) },
    }
  },
  resolveReceipt: async ({ receipt_id: id, again: isAgain, reason }, ctx) => {
    await resolveReceipt(ctx, ctx.user, { id, isAgain, reason })
    return { success: true }
  },
  runJob: async (change, ctx) => {
    await runFailingJob(ctx, ctx.user, change)
    return { success: true }
  },
  giveUpJob: async (change, ctx) => {
    await giveUpJob(ctx, ctx.user, change)
    return { success: true }
  },
})

// Payments of all projects over HTTP, for operators.
import { payments } from '#contract/areas/operator/payments.ts'
import { implement } from '#server/core/implement.ts'
import { closeDispute, enterDispute, payInvoice, refund, resolve } from '#server/domain/operator/payments.ts'
import { listOperatorPayments, listProviders } from '#server/domain/operator/payments-list.ts'

export const operatorPaymentRoutes = implement(payments, {
  list: async ({ limit, offset, ...filter }, ctx) => {
    const { total, results } = await listOperatorPayments(ctx, filter, { limit, offset })
    return { total, limit, offset, results }
  },
  providers: async (_, ctx) => ({ results: await listProviders(ctx) }),
  markPaid: async ({ payment_id: id, amount, reason }, ctx) => {
    await payInvoice(ctx, ctx.user, { id, amount, reason })
    return { success: true }
  },
  refund: async ({ payment_id: id, amount, reason, end_plan: endPlan = false }, ctx) => {
    await refund(ctx, ctx.user, { id, amount, reason, endPlan })
    return { success: true }
  },
  dispute: async ({ payment_id: id, amount, reason }, ctx) => {
    await enterDispute(ctx, ctx.user, { id, amount, reason })
    return { success: true }
  },
  endDispute: async ({ payment_id: id, won: isWon, reason }, ctx) => {
    await closeDispute(ctx, ctx.user, { id, isWon, reason })
    return { success: true }
  },
  resolve: async ({ payment_id: id, book: isBooked, reason }, ctx) => {
    await resolve(ctx, ctx.user, { id, isBooked, reason })
    return { success: true }
  },
})

// Payments of all projects over HTTP, for operators.
import { payments } from '#contract/areas/operator/payments.ts'
import { implement } from '#server/core/implement.ts'
import { listPayments } from '#server/domain/billing/payments-store.ts'
import { presentPayment } from '#server/domain/billing/payment-present.ts'
import { payInvoice, refund } from '#server/domain/operator/payments.ts'

export const operatorPaymentRoutes = implement(payments, {
  list: async ({ project_id, ...page }, ctx) => {
    const { rows, total } = await listPayments(ctx.db, project_id ?? null, page)
    const results = await Promise.all(
      rows.map(async (row) => ({ ...(await presentPayment(ctx, row)), project_id: row.project_id })),
    )
    return { total, ...page, results }
  },
  markPaid: async ({ payment_id: id, amount, reason }, ctx) => {
    await payInvoice(ctx, ctx.user, { id, amount, reason })
    return { success: true }
  },
  refund: async ({ payment_id: id, amount, reason }, ctx) => {
    await refund(ctx, ctx.user, { id, amount, reason })
    return { success: true }
  },
})

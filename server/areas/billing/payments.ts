// Payments of a project over HTTP: create, status, list, cancel.
import { payments } from '#contract/areas/billing/payments.ts'
import type { ParsedInput } from '#contract/core/operation.ts'
import { ForbiddenError, ValidationError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { chargePayment } from '#server/domain/billing/payments/begin.ts'
import { hintForPage, checkPayment } from '#server/domain/billing/payments/checks.ts'
import { presentPayment } from '#server/domain/billing/payments/present.ts'
import { cancelPayment, createPayment, getPayment } from '#server/domain/billing/payments/payments.ts'
import { listPayments } from '#server/domain/billing/payments/store.ts'
import { limitCode } from '#server/domain/billing/promos/promos.ts'
import { refuseWithoutCapacity } from '#server/domain/ingest/capacity.ts'
import type { PurchaseRequest } from '#server/domain/tariffs/subscriptions.ts'
import { authorizeMember } from '#server/domain/projects/access.ts'
import { getLastProject } from '#server/domain/projects/store.ts'

export const paymentRoutes = implement(payments, {
  get: async ({ project_id, payId }, ctx) => {
    const payment = await getPayment(ctx, project_id, payId)
    await hintForPage(ctx, payment)
    return await presentPayment(ctx, payment)
  },

  create: async (input, ctx) => {
    const purchase = purchaseOf(input)
    if (purchase) limitCode(ctx, ctx.user.id, purchase)
    if (purchase?.line === 'transcoding') await refuseWithoutCapacity(ctx, purchase)
    const payment = await createPayment(ctx, {
      projectId: input.project_id,
      userId: ctx.user.id,
      type: typeOf(input),
      amount: input.amount,
      paySystemId: input.pay_system_id,
      methodId: input.method_id,
      save: input.save === 1,
      key: input.idempotency_key,
      purchase,
    })
    if (payment.method_id !== null && payment.status === 'pending') {
      await chargePayment(ctx, payment)
      await checkPayment(ctx, payment.id)
    }
    return { payment_id: payment.id, pay_name: payment.provider }
  },

  list: async ({ page, pageSize, project_id }, ctx) => {
    const projectId = project_id ?? ctx.user.grant?.projectId ?? (await getLastProject(ctx.db, ctx.user.id))
    if (projectId === null) throw new ForbiddenError()
    await authorizeMember(ctx, ctx.user, projectId, 'editor')
    const { rows, total } = await listPayments(ctx.db, projectId, { limit: pageSize, offset: (page - 1) * pageSize })
    return { results: await Promise.all(rows.map((row) => presentPayment(ctx, row))), page, pageSize, total }
  },

  cancel: async ({ project_id, payment_id }, ctx) => {
    await cancelPayment(ctx, await getPayment(ctx, project_id, payment_id))
    return { success: true }
  },
})

/** Returns the purchase that follows the payment; undefined for a top-up. */
function purchaseOf(input: ParsedInput<typeof payments.create>): PurchaseRequest | undefined {
  const line = typeOf(input)
  const period = input.plan_period
  if (line === 'topup' || period === undefined) return undefined
  const { project_id: projectId, promo_code: code } = input
  const common = { projectId, line, planId: input[`plan_${line}_id`] ?? 0, period, code }
  if (line === 'transcoding') return { ...common, count: input.plan_transcoding_count_flow }
  if (line === 'storage') return { ...common, size: input.plan_storage_value }
  return { ...common, channels: input.plan_restream_count_channel, bitrate: input.plan_restream_bitrate }
}

/** @throws ValidationError for a plan without the parameters of its line */
function typeOf(input: ParsedInput<typeof payments.create>) {
  if (input.type === 'topup' || input.type === 'top_up') return 'topup'
  const missing = (['plan_period', `plan_${input.type}_id`] as const).filter((name) => input[name] === undefined)
  if (missing.length > 0)
    throw new ValidationError(missing.map((property) => ({ property, code: 'isDefined', text: 'missing' })))
  return input.type
}

// Ways to pay over HTTP, and the address where a payment is paid.
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import type { Context } from '#server/core/context.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { beginPayment } from '#server/domain/billing/payments/begin.ts'
import { offeredSystems } from '#server/domain/billing/payments/payments.ts'
import { findPayment } from '#server/domain/billing/payments/store.ts'
import { billingMode } from '#server/domain/installation/installation.ts'
import { authorizeMember } from '#server/domain/projects/access.ts'

/** @throws ForbiddenError for callers that do not own the project of the payment */
async function create({ payment_id }: { readonly payment_id: number }, ctx: Context<'session'>) {
  const payment = await findPayment(ctx.db, payment_id)
  if (!payment) throw new ForbiddenError()
  await authorizeMember(ctx, ctx.user, payment.project_id, 'owner')
  return { redirect_url: await beginPayment(ctx, payment) }
}

export const paySystemRoutes = implement(paySystems, {
  list: async (_, ctx) => ({
    results: ((await billingMode(ctx.db)) === 'off' ? [] : offeredSystems(ctx)).map(({ provider, system }) => ({
      pay_system_id: system.id,
      name: system.name,
      min_amount: system.minAmount,
      max_amount: system.maxAmount,
      currency: system.currency,
      annual: 1,
      topup: 1,
      recurrent: system.recurrent ? 1 : 0,
      description: system.description,
      pay_name: provider.name,
    })),
  }),
  payoneer: create,
  unitpay: create,
  tBank: create,
  create,
})

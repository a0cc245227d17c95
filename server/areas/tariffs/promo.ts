// Promo codes over HTTP.
import { promo } from '#contract/areas/tariffs/promo.ts'
import type { Context } from '#server/core/context.ts'
import { implement } from '#server/core/implement.ts'
import { applyPromo, checkPromo } from '#server/domain/billing/promos/promos.ts'
import { titleIn } from '#server/domain/tariffs/store.ts'

export const promoRoutes = implement(promo, {
  check: async ({ code }, ctx) => {
    const { row, currency, amount, plan } = await checkPromo(ctx, attemptOf(ctx, code))
    const { id, name, type } = row
    return {
      id,
      name,
      type,
      amount,
      percent: row.percent,
      currency,
      plan: plan && { id: plan.planId, title: titleIn(plan, ctx.language), period: plan.period },
    }
  },
  apply: async ({ code }, ctx) => ({ result: await applyPromo(ctx, attemptOf(ctx, code)) }),
})

const attemptOf = ({ project, user }: Context<'owner'>, code: string) => ({
  projectId: project.id,
  userId: user.id,
  code,
})

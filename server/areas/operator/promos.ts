// Promo codes over HTTP, for operators.
import { promos } from '#contract/areas/operator/promos.ts'
import { currencyCodes, currencyFields } from '#contract/entities/currencies.ts'
import { implement } from '#server/core/implement.ts'
import type { Db } from '#server/db/open.ts'
import { isLine, type PromoPlan } from '#server/domain/billing/promos/promos.ts'
import { listPromoAmounts, listPromos, type PromoRow } from '#server/domain/billing/promos/store.ts'
import { createPromo, endPromo } from '#server/domain/operator/promos.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'

export const operatorPromoRoutes = implement(promos, {
  list: async (page, { db }) => {
    const { rows, total } = await listPromos(db, page)
    const amounts = await listPromoAmounts(
      db,
      rows.map(({ id }) => id),
    )
    const results = []
    for (const { id, plan: text, ...row } of rows) {
      const credit = currencyFields('amount', (currency) => amounts.get(id)?.[currency] ?? null)
      results.push({ promo_id: id, ...row, ...credit, plan: await planOf(db, row, text) })
    }
    return { total, ...page, results }
  },
  create: async ({ plan_id, period, channels, bitrate, count, size, reason, ...input }, ctx) => {
    const plan = plan_id && period ? { planId: plan_id, period, channels, bitrate, count, size } : null
    const { code, name, type, percent = null, uses_max, date_until } = input
    const amounts = currencyCodes.flatMap((currency) => {
      const minor = input[`amount_${currency}`] ?? null
      return minor === null ? [] : [[currency, minor] as const]
    })
    const promo = {
      code,
      name,
      type,
      amounts: Object.fromEntries(amounts),
      percent,
      plan,
      usesMax: uses_max ?? null,
      until: date_until ?? null,
    }
    await createPromo(ctx, ctx.user, promo, reason)
    return { success: true }
  },
  end: async ({ promo_id, reason }, ctx) => {
    await endPromo(ctx, ctx.user, promo_id, reason)
    return { success: true }
  },
})

async function planOf(db: Db, { type }: Pick<PromoRow, 'type'>, text: string | null) {
  if (!isLine(type) || text === null) return null
  const { planId: id, period } = JSON.parse(text) as PromoPlan
  return { id, title: (await lineOf(type).plan(db, id)).title, period }
}

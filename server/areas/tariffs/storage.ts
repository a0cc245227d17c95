// The storage plan of a project over HTTP.
import { storage } from '#contract/areas/tariffs/storage.ts'
import type { Language } from '#contract/core/wire.ts'
import { implement } from '#server/core/implement.ts'
import type { Db } from '#server/db/open.ts'
import { billingMode } from '#server/domain/installation/installation.ts'
import { presentStoragePlan } from '#server/domain/tariffs/add-on-info.ts'
import { listStoragePlans, listStoragePlansFor, getPeriodTerms } from '#server/domain/tariffs/store.ts'
import { presentAddOnQuote, quoteAddOn, storageSlots } from './add-on-present.ts'
import { buyPlan, cancelPlan, discountsOf, switchRenewal } from './purchases.ts'

export const storageRoutes = implement(storage, {
  slots: async ({ project_id }, ctx) => storageSlots(ctx, project_id),

  list: (_, ctx) => present(ctx, listStoragePlans),
  offers: ({ project_id }, ctx) => present(ctx, (db) => listStoragePlansFor(db, project_id)),

  discount: (_, { db }) => discountsOf(db, 'storage'),

  check: ({ project_id, plan_storage_id, period, size, promo_code: code }, ctx) =>
    quoteAddOn(ctx, { projectId: project_id, line: 'storage', planId: plan_storage_id, period, size, code }),

  buy: ({ project_id, plan_storage_id, period, size, promo_code, quote_total, idempotency_key }, ctx) =>
    buyPlan(
      ctx,
      {
        projectId: project_id,
        line: 'storage',
        planId: plan_storage_id,
        period,
        size,
        code: promo_code,
        quotedTotal: quote_total,
        key: idempotency_key,
      },
      (quote) => presentAddOnQuote(quote, ctx.language),
    ),

  cancelNext: ({ plan_storage_id }, ctx) => cancelPlan(ctx, 'storage', plan_storage_id),
  prolongation: ({ enabled }, ctx) => switchRenewal(ctx, 'storage', enabled),
})

async function present(
  { db, language }: { readonly db: Db; readonly language: Language },
  read: typeof listStoragePlans,
) {
  if ((await billingMode(db)) === 'off') return { results: [] }
  const discount = await getPeriodTerms(db, 'storage')
  return { results: (await read(db)).map((row) => presentStoragePlan(row, discount, language)) }
}

// The transcoding plan of a project over HTTP.
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import type { Language } from '#contract/core/wire.ts'
import type { Services } from '#server/core/context.ts'
import { implement } from '#server/core/implement.ts'
import { billingMode } from '#server/domain/installation/installation.ts'
import { freeSlots, refuseWithoutCapacity } from '#server/domain/ingest/capacity.ts'
import { presentTranscodingPlan } from '#server/domain/tariffs/add-on-info.ts'
import { listTranscodingPlans, listTranscodingPlansFor, getPeriodTerms } from '#server/domain/tariffs/store.ts'
import { presentAddOnQuote, quoteAddOn, transcodingSlots } from './add-on-present.ts'
import { buyPlan, cancelPlan, discountsOf, switchRenewal } from './purchases.ts'

export const transcodingRoutes = implement(transcoding, {
  slots: async ({ project_id }, ctx) => transcodingSlots(ctx, project_id),

  list: (_, ctx) => present(ctx, listTranscodingPlans),
  offers: ({ project_id }, ctx) => present(ctx, (db) => listTranscodingPlansFor(db, project_id)),

  discount: (_, { db }) => discountsOf(db, 'transcoding'),

  check: ({ project_id, plan_transcoding_id, period, count, promo_code: code }, ctx) =>
    quoteAddOn(ctx, { projectId: project_id, line: 'transcoding', planId: plan_transcoding_id, period, count, code }),

  buy: async ({ project_id, plan_transcoding_id, period, count, promo_code, quote_total, idempotency_key }, ctx) => {
    const request = {
      projectId: project_id,
      line: 'transcoding',
      planId: plan_transcoding_id,
      period,
      count,
      code: promo_code,
      quotedTotal: quote_total,
      key: idempotency_key,
    } as const
    await refuseWithoutCapacity(ctx, request)
    return await buyPlan(ctx, request, (quote) => presentAddOnQuote(quote, ctx.language))
  },

  cancelNext: ({ plan_transcoding_id }, ctx) => cancelPlan(ctx, 'transcoding', plan_transcoding_id),
  prolongation: ({ enabled }, ctx) => switchRenewal(ctx, 'transcoding', enabled),
})

async function present(services: Services & { readonly language: Language }, read: typeof listTranscodingPlans) {
  if ((await billingMode(services.db)) === 'off') return { results: [] }
  const discount = await getPeriodTerms(services.db, 'transcoding')
  const space = await freeSlots(services)
  return {
    results: (await read(services.db)).map((row) =>
      presentTranscodingPlan(row, discount, { space, language: services.language }),
    ),
  }
}

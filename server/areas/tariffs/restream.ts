// The restream tariff of a project over HTTP: slots, catalogue, quotes, buying.
import { restream } from '#contract/areas/tariffs/restream.ts'
import type { ParsedInput } from '#contract/core/operation.ts'
import { implement } from '#server/core/implement.ts'
import { billingMode } from '#server/domain/installation/installation.ts'
import { presentPlan } from '#server/domain/tariffs/catalog.ts'
import { readState, runningOffer } from '#server/domain/tariffs/subscriptions.ts'
import { quoteWithCode } from '#server/domain/billing/promos/promos.ts'
import type { BuyRequest } from '#server/domain/tariffs/subscriptions-change.ts'
import { restreamLine } from '#server/domain/tariffs/lines.ts'
import { buyPlan, cancelPlan, discountsOf, switchRenewal } from './purchases.ts'
import { featureList, presentOffer, presentQuote, presentSlots } from './restream-present.ts'
import { getPeriodTerms, getPricedPlan, listPlans, listPlansFor } from '#server/domain/tariffs/store.ts'
import { getCurrency } from '#server/domain/money/store.ts'

export const restreamRoutes = implement(restream, {
  slots: async ({ project_id }, { db, clock }) =>
    presentSlots((await readState(db, clock, project_id, 'restream')).slots),

  list: async (_, { db, config, language }) => {
    const discounts = await getPeriodTerms(db, 'restream')
    const rows = (await billingMode(db)) === 'off' ? [] : await listPlans(db)
    return {
      results: rows.map((row) => presentPlan(row, discounts, config, language)),
      feature: { results: featureList },
    }
  },

  discount: (_, { db }) => discountsOf(db, 'restream'),

  offers: async ({ project_id }, { db, clock, config, language }) => {
    if ((await billingMode(db)) === 'off') return { results: [] }
    const { slots } = await readState(db, clock, project_id, 'restream')
    const currency = await getCurrency(db, project_id)
    const running = await getPricedPlan(db, slots.current.planId)
    const sold = (await listPlansFor(db, project_id)).filter(
      (row) => row.id !== running.id && row.active === 1 && row.prices.base[currency] !== undefined,
    )
    const offerContext = {
      slots,
      running: await runningOffer(db, restreamLine, slots, currency),
      currency,
      discounts: await getPeriodTerms(db, 'restream'),
      config,
      language,
    }
    const rows = [...sold, running].toSorted((a, b) => a.sort_index - b.sort_index)
    return { results: rows.map((row) => presentOffer(row, offerContext)) }
  },

  check: async ({ project_id, plan_restream_id, use_balance, promo_code: code, ...chosen }, ctx) => {
    const request = { projectId: project_id, line: 'restream', planId: plan_restream_id, code, ...chosen } as const
    return presentQuote(await quoteWithCode(ctx, ctx.user.id, request), ctx.language, use_balance === 1)
  },

  buy: (input, ctx) => buyPlan(ctx, requestOf(input), (quote) => presentQuote(quote, ctx.language, true)),
  cancelNext: ({ plan_restream_id }, ctx) => cancelPlan(ctx, 'restream', plan_restream_id),
  prolongation: ({ enabled }, ctx) => switchRenewal(ctx, 'restream', enabled),
})

const requestOf = (input: ParsedInput<typeof restream.buy>): BuyRequest => ({
  projectId: input.project_id,
  line: 'restream',
  planId: input.plan_restream_id,
  period: input.period,
  channels: input.count_channel,
  bitrate: input.bitrate,
  code: input.promo_code,
  quotedTotal: input.quote_total,
  key: input.idempotency_key,
})

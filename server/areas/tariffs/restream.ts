// The restream tariff of a project over HTTP: slots, catalogue, quotes, buying.
import { restream } from '#contract/areas/tariffs/restream.ts'
import { RuleError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { getDiscounts, getPlan, listPlans, listPlansFor, planOf, presentPlan } from '#server/domain/catalog.ts'
import { currencyOf } from '#server/domain/ledger.ts'
import { offerOf, quotePurchase, readState } from '#server/domain/subscriptions.ts'
import { buy, cancelNext } from '#server/domain/subscriptions-change.ts'
import { featureList, presentOffer, presentQuote, presentSlots } from './restream-present.ts'

export const restreamRoutes = implement(restream, {
  slots: async ({ project_id }, { db, clock }) => presentSlots((await readState(db, clock, project_id)).slots),

  list: async (_, { db }) => {
    const discounts = await getDiscounts(db)
    const rows = await listPlans(db)
    return { results: rows.map((row) => presentPlan(row, discounts)), feature: { results: featureList } }
  },

  discount: async (_, { db }) => ({ ...(await getDiscounts(db)) }),

  offers: async ({ project_id }, { db, clock }) => {
    const { slots } = await readState(db, clock, project_id)
    const currency = await currencyOf(db, project_id)
    const running = await getPlan(db, slots.current.planId)
    const sold = (await listPlansFor(db, project_id)).filter(
      (row) => row.id !== running.id && row.active === 1 && planOf(row).prices[currency] !== null,
    )
    const onlooker = {
      slots,
      running: offerOf(planOf(running), slots.current, currency),
      currency,
      discounts: await getDiscounts(db),
    }
    const rows = [...sold, running].toSorted((a, b) => a.sort_index - b.sort_index)
    return { results: rows.map((row) => presentOffer(row, onlooker)) }
  },

  check: async ({ project_id, plan_restream_id, period, channels, bitrate, use_balance }, { db, clock, language }) => {
    const request = { projectId: project_id, planId: plan_restream_id, period, channels, bitrate }
    return presentQuote(await quotePurchase(db, clock, request), language, use_balance === 1)
  },

  buy: async (input, { db, clock, language }) => {
    const result = await buy(db, clock, {
      projectId: input.project_id,
      planId: input.plan_restream_id,
      period: input.period,
      channels: input.count_channel,
      bitrate: input.bitrate,
      quotedTotal: input.quote_total,
      key: input.idempotency_key,
    })
    if (result.outcome === 'changed') {
      const data = { quote: presentQuote(result.quote, language, true) }
      throw new RuleError('QuoteChanged', 'The price has changed since it was shown', data)
    }
    return { success: true }
  },

  cancelNext: async ({ project_id, plan_restream_id }, { db, clock }) => {
    await cancelNext(db, clock, project_id, plan_restream_id)
    return { success: true }
  },
})

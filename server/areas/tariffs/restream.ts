// The restream tariff of a project over HTTP: slots, catalogue, quotes, buying.
import { restream } from '#contract/areas/tariffs/restream.ts'
import type { ParsedInput } from '#contract/core/operation.ts'
import type { Context } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { billingMode } from '#server/domain/installation/installation.ts'
import { planOf, presentPlan } from '#server/domain/tariffs/catalog.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { quotePurchase, readState, runningOffer } from '#server/domain/tariffs/subscriptions.ts'
import { buy, type BuyRequest, cancelNext } from '#server/domain/tariffs/subscriptions-change.ts'
import { restreamLine } from '#server/domain/tariffs/line-restream.ts'
import { featureList, presentOffer, presentQuote, presentSlots } from './restream-present.ts'
import { getCurrency, getDiscounts, getPlan, listPlans, listPlansFor } from '#server/domain/tariffs/store.ts'

export const restreamRoutes = implement(restream, {
  slots: async ({ project_id }, { db, clock }) =>
    presentSlots((await readState(db, clock, project_id, 'restream')).slots),

  list: async (_, { db, config }) => {
    const discounts = await getDiscounts(db, 'restream')
    const rows = (await billingMode(db)) === 'off' ? [] : await listPlans(db)
    return { results: rows.map((row) => presentPlan(row, discounts, config)), feature: { results: featureList } }
  },

  discount: async (_, { db }) => ({ ...(await getDiscounts(db, 'restream')) }),

  offers: async ({ project_id }, { db, clock, config }) => {
    if ((await billingMode(db)) === 'off') return { results: [] }
    const { slots } = await readState(db, clock, project_id, 'restream')
    const currency = await getCurrency(db, project_id)
    const running = await getPlan(db, slots.current.planId)
    const sold = (await listPlansFor(db, project_id)).filter(
      (row) => row.id !== running.id && row.active === 1 && planOf(row).prices[currency] !== null,
    )
    const offerContext = {
      slots,
      running: await runningOffer(db, restreamLine, slots, currency),
      currency,
      discounts: await getDiscounts(db, 'restream'),
      config,
    }
    const rows = [...sold, running].toSorted((a, b) => a.sort_index - b.sort_index)
    return { results: rows.map((row) => presentOffer(row, offerContext)) }
  },

  check: async ({ project_id, plan_restream_id, use_balance, ...chosen }, { db, clock, language }) => {
    const request = { projectId: project_id, line: 'restream', planId: plan_restream_id, ...chosen } as const
    return presentQuote(await quotePurchase(db, clock, request), language, use_balance === 1)
  },

  buy: async (input, { language, ...ctx }) => {
    const result = await projectTransaction(ctx.db, input.project_id, async (trx) => {
      const done = await buy(trx, ctx.clock, requestOf(input))
      if (done.outcome !== 'bought') return done
      const { plan, decision } = done.quote
      const details = { plan: plan.title, period: input.period, action: decision.action }
      await recordHistory(ctx, trx, { ...whoOf(ctx), action: 'plan_bought', details })
      return done
    })
    if (result.outcome === 'changed') {
      const data = { quote: presentQuote(result.quote, language, true) }
      throw new RuleError('QuoteChanged', 'The price has changed since it was shown', data)
    }
    return { success: true }
  },

  cancelNext: async ({ project_id, plan_restream_id }, ctx) => {
    await projectTransaction(ctx.db, project_id, async (trx) => {
      const next = { projectId: project_id, line: 'restream', planId: plan_restream_id } as const
      const details = { plan: (await cancelNext(trx, ctx.clock, next)).title }
      await recordHistory(ctx, trx, { ...whoOf(ctx), action: 'plan_cancelled', details })
    })
    return { success: true }
  },
})

const whoOf = ({ project, user }: Pick<Context<'owner'>, 'project' | 'user'>) => ({
  projectId: project.id,
  userId: user.id,
})

const requestOf = (input: ParsedInput<typeof restream.buy>): BuyRequest => ({
  projectId: input.project_id,
  line: 'restream',
  planId: input.plan_restream_id,
  period: input.period,
  channels: input.count_channel,
  bitrate: input.bitrate,
  quotedTotal: input.quote_total,
  key: input.idempotency_key,
})

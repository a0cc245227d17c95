// Payouts of all projects over HTTP, for operators.
import { payouts } from '#contract/areas/operator/payouts.ts'
import { implement } from '#server/core/implement.ts'
import { walletOf } from '#server/domain/billing/payouts/payouts.ts'
import { listPayouts, listWays } from '#server/domain/billing/payouts/store.ts'
import { getPercent } from '#server/domain/billing/referrals/store.ts'
import { resolvePayout, setReferral, setWay } from '#server/domain/operator/payouts.ts'

export const operatorPayoutRoutes = implement(payouts, {
  list: async ({ status, ...page }, ctx) => {
    const { rows, total } = await listPayouts(ctx.db, { status }, page)
    const results = rows.map((row) => ({
      payout_id: row.id,
      project_id: row.project_id,
      project_name: row.project_name,
      way: row.title,
      amount: row.amount_minor,
      commission: row.commission_minor,
      currency: row.currency,
      wallet: walletOf(ctx, row),
      status: row.status,
      reference: row.reference,
      reason: row.reason,
      date_create: row.date_create,
      date_end: row.date_end,
    }))
    return { total, ...page, results }
  },
  sent: async ({ payout_id, reference, reason }, ctx) => {
    await resolvePayout(ctx, ctx.user, payout_id, { status: 'sent', reference }, reason)
    return { success: true }
  },
  refuse: async ({ payout_id, reason }, ctx) => {
    await resolvePayout(ctx, ctx.user, payout_id, { status: 'refused' }, reason)
    return { success: true }
  },
  ways: async (_, { db }) => {
    const results = (await listWays(db)).map(({ id, min_minor, max_minor, active, ...way }) => ({
      way_id: id,
      ...way,
      min_amount: min_minor,
      max_amount: max_minor,
      active: active === 1,
    }))
    return { results }
  },
  setWay: async ({ way_id, reason, min_amount, max_amount, active, ...way }, ctx) => {
    const { title, description, currency, commission, commission_type } = way
    const values = {
      title,
      description,
      currency,
      commission,
      commission_type,
      min_minor: min_amount,
      max_minor: max_amount,
      active: active ? (1 as const) : (0 as const),
    }
    await setWay(ctx, ctx.user, way_id, values, reason)
    return { success: true }
  },
  referral: async (_, { db }) => ({ percent: (await getPercent(db)) / 100 }),
  setReferral: async ({ percent, reason }, ctx) => {
    await setReferral(ctx, ctx.user, Math.round(percent * 100), reason)
    return { success: true }
  },
})

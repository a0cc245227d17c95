// Payouts of a project over HTTP.
import { payouts } from '#contract/areas/billing/payouts.ts'
import { implement } from '#server/core/implement.ts'
import { cancelPayout, createPayout } from '#server/domain/billing/payouts/payouts.ts'
import { listPayouts, listWaysFor, type PayoutMethod } from '#server/domain/billing/payouts/store.ts'
import { refuseWhileOff } from '#server/domain/installation/installation.ts'
import { getCurrency } from '#server/domain/money/store.ts'

export const payoutRoutes = implement(payouts, {
  prepare: async ({ project_id }, { db }) => {
    await refuseWhileOff(db)
    const ways = await listWaysFor(db, await getCurrency(db, project_id))
    return { results: ways.map(presentWay) }
  },

  create: async (input, ctx) => {
    await createPayout(ctx, {
      projectId: input.project_id,
      userId: ctx.user.id,
      wayId: input.payout_system_account_id,
      amount: input.amount,
      wallet: input.wallet_value,
      key: input.idempotency_key,
    })
    return { success: true }
  },

  list: async ({ project_id, limit, offset }, { db }) => {
    const { rows, total } = await listPayouts(db, { projectId: project_id }, { limit, offset })
    const results = rows.map((row) => ({
      payout_id: row.id,
      title: row.title,
      amount: row.amount_minor,
      commission: row.commission_minor,
      currency: row.currency,
      wallet: row.wallet_masked,
      status: row.status,
      reference: row.reference,
      reason: row.reason,
      date_create: row.date_create,
      date_end: row.date_end,
    }))
    return { total, limit, offset, results }
  },

  cancel: async ({ project_id, payout_id }, ctx) => {
    await cancelPayout(ctx, ctx.user, project_id, payout_id)
    return { success: true }
  },
})

const presentWay = (way: PayoutMethod) => ({
  payout_system_account_id: way.id,
  payout_system_id: way.id,
  description: way.description,
  commission: way.commission_type === 'percent' ? way.commission / 100 : way.commission,
  commission_type: way.commission_type,
  title: way.title,
  active: way.active === 1,
  currency: way.currency,
  min_amount: way.min_minor,
  max_amount: way.max_minor,
})

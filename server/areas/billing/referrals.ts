// Referrals over HTTP.
import { referrals } from '#contract/areas/billing/referrals.ts'
import { implement } from '#server/core/implement.ts'
import { joinByReferral, readReferrals } from '#server/domain/billing/referrals/referrals.ts'

const joinsPerMinute = 10

export const referralRoutes = implement(referrals, {
  info: async ({ project_id }, { db, origin }) => {
    const { profit, waiting, members, percent, code } = await readReferrals(db, project_id)
    const link = code === null ? null : new URL(`/sign-in?ref=${code}`, origin).href
    return { profit, members, percent: percent / 100, link, waiting }
  },
  join: async ({ code }, ctx) => {
    ctx.limits.count(`referral ${ctx.user.id}`, joinsPerMinute)
    await joinByReferral(ctx, ctx.user, code)
    return { success: true }
  },
})

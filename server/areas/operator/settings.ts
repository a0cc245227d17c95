// Settings of the installation over HTTP.
import { settings } from '#contract/areas/operator/settings.ts'
import { byCurrency, currencyFields } from '#contract/entities/currencies.ts'
import { implement } from '#server/core/implement.ts'
import { signUpMode } from '#server/domain/account/accounts.ts'
import { readSettings, setBilling, setBonus, setFactorDemand, setLimits } from '#server/domain/operator/settings.ts'

export const settingRoutes = implement(settings, {
  get: async (_, ctx) => {
    const { billing, bonus, free, paid, running, hasPayments, providers, factorDemand, limits } =
      await readSettings(ctx)
    return {
      billing,
      ...currencyFields('bonus', (currency) => bonus[currency]),
      projects_free: free,
      projects_paid: paid,
      plans_running: running,
      has_payments: hasPayments,
      sign_up: await signUpMode(ctx),
      providers,
      second_factor: factorDemand,
      limits,
    }
  },
  setBilling: async ({ billing, reason }, ctx) => {
    await setBilling(ctx, ctx.user, billing, reason)
    return { success: true }
  },
  setSecondFactor: async ({ second_factor, reason }, ctx) => {
    await setFactorDemand(ctx, ctx.user, second_factor, reason)
    return { success: true }
  },
  setLimits: async ({ reason, ...limits }, ctx) => {
    await setLimits(ctx, ctx.user, limits, reason)
    return { success: true }
  },
  setBonus: async ({ reason, ...fields }, ctx) => {
    const bonus = byCurrency((currency) => fields[`bonus_${currency}`])
    await setBonus(ctx, ctx.user, bonus, reason)
    return { success: true }
  },
})

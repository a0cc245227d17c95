// Billing details of a project over HTTP.
import { paySettings } from '#contract/areas/billing/pay-settings.ts'
import { countryCodeOf } from '#contract/entities/countries.ts'
import { currencyOfCountry } from '#contract/entities/currencies.ts'
import { implement } from '#server/core/implement.ts'
import { presentCountry } from '#server/domain/account/countries.ts'
import { checkCountry, setProfile } from '#server/domain/billing/profile.ts'
import { findProfile } from '#server/domain/billing/profile-store.ts'

export const paySettingRoutes = implement(paySettings, {
  get: async ({ project_id }, { db }) => {
    const row = await findProfile(db, project_id)
    if (!row) return { result: null }
    const { country_id, date_change: _, ...rest } = row
    return { result: { ...rest, countrie_id: country_id, currency: currencyOfCountry(country_id) } }
  },

  set: async ({ project_id, countrie_id, ...input }, ctx) => {
    await setProfile(ctx, ctx.user.id, {
      project_id,
      country_id: countrie_id,
      organization_id: input.organization_id ?? null,
      pay_system_id: input.pay_system_id,
      email: input.email,
      street: input.street ?? null,
      house_number: input.house_number ?? null,
      zip: input.zip ?? null,
      city: input.city ?? null,
      state: input.state ?? null,
      company_name: input.company_name ?? null,
      tax_id: input.tax_id ?? null,
      description: input.description?.trim() || null,
    })
    return { success: true }
  },

  checkCountry: async ({ project_id, country_id }, ctx) => {
    const { outcome, exchange, balance } = await checkCountry(ctx, project_id, country_id)
    return {
      confirm: outcome === 'exchanged',
      exchange,
      currency: currencyOfCountry(country_id),
      country: presentCountry(countryCodeOf(country_id) ?? '', ctx.language),
      balance: { ...balance },
    }
  },
})

// Settings of papers over HTTP.
import { papers } from '#contract/areas/operator/papers.ts'
import { implement } from '#server/core/implement.ts'
import { getArchives } from '#server/domain/billing/papers/archives.ts'
import { listTaxRates } from '#server/domain/billing/papers/store.ts'
import { getPaperSettings } from '#server/domain/billing/profile-store.ts'
import { listRates, setPapers, setRate, setTax } from '#server/domain/operator/papers.ts'

export const operatorPaperRoutes = implement(papers, {
  get: async (_, { db }) => {
    const { seller_name, seller_address, seller_tax_id, ...codes } = await getPaperSettings(db)
    const taxes = await listTaxRates(db)
    return {
      seller_name,
      seller_address,
      seller_tax_id,
      rates: await listRates(db),
      tax_system: codes.tax_system,
      vat_code: codes.vat_code,
      taxes: taxes.map(({ percent_hundredths, reverse_charge, ...tax }) => ({
        ...tax,
        percent: percent_hundredths / 100,
        reverse_charge: reverse_charge === 1,
      })),
    }
  },
  archives: (_, ctx) => getArchives(ctx, { projectId: null, sessionId: ctx.user.sessionId, language: ctx.language }),
  setSeller: async ({ reason, ...values }, ctx) => {
    await setPapers(ctx, ctx.user, { action: 'seller', values }, reason)
    return { success: true }
  },
  setExchange: async ({ reason, ...rate }, ctx) => {
    await setRate(ctx, ctx.user, rate, reason)
    return { success: true }
  },
  setReceipts: async ({ reason, ...values }, ctx) => {
    await setPapers(ctx, ctx.user, { action: 'receipts', values }, reason)
    return { success: true }
  },
  setTax: async ({ country_id: countryId, percent, label, reverse_charge: isReversed = false, reason }, ctx) => {
    const percentHundredths = Math.round(percent * 100)
    await setTax(ctx, ctx.user, { countryId, percentHundredths, label, isReversed }, reason)
    return { success: true }
  },
})

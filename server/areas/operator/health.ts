// Health of the money over HTTP.
import { health } from '#contract/areas/operator/health.ts'
import { implement } from '#server/core/implement.ts'
import { payProviders } from '#server/domain/billing/registry.ts'
import { checkLedger } from '#server/domain/operator/ledger-check-store.ts'

export const healthRoutes = implement(health, {
  get: async (_, ctx) => {
    const { unbalanced, differing, ...sums } = await checkLedger(ctx.db)
    return {
      providers: payProviders(ctx).map(({ name }) => ({ name })),
      ledger: { ...sums, unbalanced: [...unbalanced], differing: [...differing] },
    }
  },
})

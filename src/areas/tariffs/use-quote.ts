import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type RestreamOffer, restream } from '#contract/areas/tariffs/restream.ts'
import type { Period } from '#contract/entities/plan.ts'
import { q } from '#src/api/query.ts'
import type { Settings } from './choice.ts'

/**
 * What the chosen plan would cost now. A quote that nobody waits for any more is cancelled; until the new one has come,
 * the old one keeps its place (`isPlaceholderData`).
 */
export const useQuote = (
  projectId: number,
  plan: RestreamOffer | undefined,
  period: Period,
  settings: Settings | undefined,
) =>
  useQuery({
    ...q(restream.check, {
      project_id: projectId,
      period,
      plan_restream_id: plan?.plan_restream_id ?? 0,
      use_balance: 1,
      ...settings,
    }),
    enabled: plan !== undefined,
    placeholderData: keepPreviousData,
  })

export type QuoteQuery = ReturnType<typeof useQuote>

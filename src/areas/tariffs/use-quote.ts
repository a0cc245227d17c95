import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type RestreamOffer, type RestreamQuote, restream } from '#contract/areas/tariffs/restream.ts'
import type { Period } from '#contract/entities/plan.ts'
import { q } from '#src/api/query.ts'
import type { Settings } from './choice.ts'

/**
 * Current quote of the selected plan. A new selection cancels the pending request; the previous quote stays visible
 * until the new one has loaded (`isPlaceholderData`).
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

/** State of a quote's query. */
export type QuoteQuery = Pick<
  UseQueryResult<RestreamQuote | undefined>,
  'data' | 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'
>

import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Choice, readChoice, writeChoice, type Settings } from '#src/components/plan-cards/choice.ts'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type RestreamOffer, type RestreamQuote, restream } from '#contract/areas/tariffs/restream.ts'
import type { Period } from '#contract/entities/plan.ts'
import { q } from '#src/api/query.ts'
import { writtenParams } from '#src/lib/page-params.ts'

/** Debounce of a slider, milliseconds. */
const restMs = 250

type Change = Partial<Choice>

/**
 * Selection from the URL, and its pending draft. `choose` writes to the URL immediately; `adjust` is for sliders: it
 * updates the draft immediately, and the URL after `restMs`.
 * @param sold periods that are sold; undefined: all
 */
export function useChoice(sold: readonly Period[] | undefined) {
  const [params, setParams] = useSearchParams()
  const settled = useMemo(() => withSoldPeriod(readChoice(params), sold), [params, sold])
  const [draft, setDraft] = useState<Change>({})
  const choice = { ...settled, ...draft }
  const isMoving = writeChoice(params, choice).toString() !== writeChoice(params, settled).toString()

  const commit = (change: Change) => {
    const now = writtenParams()
    setParams(writeChoice(now, { ...readChoice(now), ...change }), { replace: true, preventScrollReset: true })
  }

  // Keeps the draft until the URL matches, so that a slider never jumps back.
  if (!isMoving && Object.keys(draft).length > 0) setDraft({})
  const settle = useEffectEvent(() => commit(draft))
  useEffect(() => {
    if (Object.keys(draft).length === 0) return undefined
    const timer = setTimeout(() => settle(), restMs)
    return () => clearTimeout(timer)
  }, [draft])

  return {
    choice,
    settled,
    isMoving,
    // Includes the pending slider value, so that another choice does not discard it.
    choose: (change: Change) => {
      setDraft({})
      commit({ ...draft, ...change })
    },
    adjust: (change: Change) => setDraft((now) => ({ ...now, ...change })),
  }
}

/** A period that is not sold becomes the first one that is. */
const withSoldPeriod = (choice: Choice, sold: readonly Period[] | undefined): Choice =>
  sold?.includes(choice.period) ? choice : { ...choice, period: sold?.[0] ?? choice.period }

/**
 * Current quote of the selected plan. A new selection cancels the pending request; the previous quote stays visible
 * until the new one has loaded (`isPlaceholderData`).
 */
export const useQuote = (
  projectId: number,
  plan: RestreamOffer | undefined,
  period: Period,
  settings: Settings | undefined,
  code: string | null,
) =>
  useQuery({
    ...q(restream.check, {
      project_id: projectId,
      period,
      plan_restream_id: plan?.plan_restream_id ?? 0,
      use_balance: 1,
      ...settings,
      promo_code: code ?? undefined,
    }),
    enabled: plan !== undefined,
    placeholderData: keepPreviousData,
  })

/** State of a quote's query. */
export type QuoteQuery = Pick<
  UseQueryResult<RestreamQuote | undefined>,
  'data' | 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'
>

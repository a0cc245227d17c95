import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { restream } from '#contract/areas/tariffs/restream.ts'
import type { RestreamSlot } from '#contract/entities/plan.ts'
import { q } from '#src/api/query.ts'
import { CancelPlan } from './cancel-plan.tsx'
import type { Known } from './queries.ts'

interface Props {
  readonly next: RestreamSlot
  readonly planId: number
  readonly known: Known
  readonly onCancelled: (sentence: string) => void
}

/** Cancels the queued restream plan. */
export function CancelNext({ next, planId, known, onCancelled }: Props) {
  const { t } = useTranslation('tariffs')
  return (
    <CancelPlan
      plan={known.titleOf(planId) ?? t('plan.byId', { id: planId })}
      refund={useRefund(next, planId, known)}
      op={restream.cancelNext}
      input={{ project_id: known.projectId, plan_restream_id: planId }}
      {...{ known, onCancelled }}
    />
  )
}

/**
 * Refund for the queued plan, from a quote that would replace it. Null before the quote has loaded, and when the quote
 * would move the queued plan instead of replacing it.
 */
function useRefund(next: RestreamSlot, planId: number, known: Known): number | null {
  const setting = known.isFlexible(planId)
    ? { channels: next.channel_max ?? undefined, bitrate: next.bitrate_max ?? undefined }
    : {}
  const quote = useQuery({
    ...q(restream.check, { project_id: known.projectId, plan_restream_id: planId, period: 'month', ...setting }),
    enabled: known.canBuy !== false,
  })
  return quote.data && quote.data.choose_status !== 'prolongate' ? (quote.data.refund_after ?? null) : null
}

import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { restream } from '#contract/areas/tariffs/restream.ts'
import type { RestreamSlot } from '#contract/entities/plan.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import type { Known } from './queries.ts'
import styles from './slots.module.css'
import { WhomToAsk } from './whom-to-ask.tsx'

interface Props {
  readonly next: RestreamSlot
  readonly planId: number
  readonly known: Known
  readonly onCancelled: (sentence: string) => void
}

/** Cancels the queued plan after showing the refund. */
export function CancelNext({ next, planId, known, onCancelled }: Props) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const why = useFailureText('tariffs')
  const reasonId = useId()
  const [isAsking, setAsking] = useState(false)
  const refund = useRefund(next, planId, known)
  const plan = known.titleOf(planId) ?? t('plan.byId', { id: planId })
  const refundText =
    refund === null
      ? t('cancel.refundUnknown')
      : t('cancel.refund', { amount: formatMoney(refund, known.currency, language) })
  const cancel = useWrite(restream.cancelNext, {
    onSuccess: () => {
      setAsking(false)
      onCancelled(
        refund === null ? plan : t('cancel.done', { plan, amount: formatMoney(refund, known.currency, language) }),
      )
    },
  })
  const mayNot = known.canBuy === false

  const handleConfirm = () => cancel.mutate({ project_id: known.projectId, plan_restream_id: planId })
  return (
    <div className={styles.cancel}>
      <button
        type="button"
        className={styles.cancelButton}
        aria-disabled={mayNot}
        aria-describedby={reasonId}
        onClick={() => mayNot || setAsking(true)}
      >
        {t('cancel.button')}
      </button>
      <p id={reasonId} className={styles.cancelNote}>
        {mayNot ? <WhomToAsk projectId={known.projectId} /> : refundText}
      </p>
      {isAsking && (
        <ConfirmDialog
          title={t('cancel.title', { plan })}
          confirm={t('cancel.confirm')}
          keep={t('cancel.keep')}
          isDanger
          isBusy={cancel.isPending}
          problem={cancel.error && why(cancel.error)}
          onConfirm={handleConfirm}
          onClose={() => setAsking(false)}
        >
          <p>
            {t('cancel.text')} {refundText}
            {language === 'cn' ? '。' : '.'}
          </p>
        </ConfirmDialog>
      )}
    </div>
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

import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { unitsOf, useAddOnQuote } from './add-on-queries.ts'
import { type AddOnName, addOns, type AddOnSlot } from './lines.ts'
import type { Known } from './queries.ts'
import styles from './slots.module.css'
import { WhomToAsk } from './whom-to-ask.tsx'

interface Props {
  readonly line: AddOnName
  readonly next: AddOnSlot
  readonly known: Pick<Known, 'projectId' | 'currency' | 'canBuy'>
  readonly onCancelled: (sentence: string) => void
}

/** Cancels the queued plan of an add-on line after showing the refund. */
export function CancelAddOn({ line, next, known, onCancelled }: Props) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const why = useFailureText('tariffs')
  const reasonId = useId()
  const [isAsking, setAsking] = useState(false)
  const { ops, planKey } = addOns[line]
  // A quote of the same plan would replace the queued one, and names its refund.
  const quote = useAddOnQuote(line, known.projectId, {
    planId: next.id,
    units: unitsOf(next) ?? 1,
    period: 'month',
  })
  const refund = quote.data?.refund_after
  const amount = refund === undefined ? null : formatMoney(refund, known.currency, language)
  const refundText = amount === null ? t('cancel.refundUnknown') : t('cancel.refund', { amount })
  const cancel = useWrite(ops.cancelNext, {
    onSuccess: () => {
      setAsking(false)
      onCancelled(amount === null ? next.title : t('cancel.done', { plan: next.title, amount }))
    },
  })
  const mayNot = known.canBuy === false
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
          title={t('cancel.title', { plan: next.title })}
          confirm={t('cancel.confirm')}
          keep={t('cancel.keep')}
          isDanger
          isBusy={cancel.isPending}
          problem={cancel.error && why(cancel.error)}
          onConfirm={() => cancel.mutate({ project_id: known.projectId, [planKey]: next.id })}
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

import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Input, WriteOperation } from '#contract/core/operation.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { formatMoney } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import type { Known } from '#src/areas/tariffs/queries.ts'
import styles from './slots.module.css'
import { WhomToAsk } from '#src/areas/tariffs/quote/whom-to-ask.tsx'

interface Props<O extends WriteOperation> {
  /** Title of the queued plan. */
  readonly plan: string
  /** Minor units; null: unknown. */
  readonly refund: number | null
  readonly known: Pick<Known, 'projectId' | 'currency' | 'canBuy'>
  readonly op: O
  readonly input: Input<O>
  readonly onCancelled: (sentence: string) => void
}

/** Cancels a queued plan after showing the refund. */
export function CancelPlan<O extends WriteOperation>({ plan, refund, known, op, input, onCancelled }: Props<O>) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const why = useFailureText('tariffs')
  const { gap } = usePunctuation()
  const reasonId = useId()
  const [isAsking, setAsking] = useState(false)
  const amount = refund === null ? null : formatMoney(refund, known.currency, language)
  const refundText = amount === null ? t('cancel.refundUnknown') : t('cancel.refund', { amount })
  const cancel = useWrite(op, {
    onSuccess: () => {
      setAsking(false)
      onCancelled(amount === null ? plan : t('cancel.done', { plan, amount }))
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
          title={t('cancel.title', { plan })}
          confirm={t('cancel.confirm')}
          keep={t('cancel.keep')}
          isDanger
          isBusy={cancel.isPending}
          problem={cancel.error && why(cancel.error)}
          onConfirm={() => cancel.mutate(input)}
          onClose={() => setAsking(false)}
        >
          <p>
            {t('cancel.text') + gap + refundText}
            {language === 'cn' ? '。' : '.'}
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}

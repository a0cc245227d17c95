import { useTranslation } from 'react-i18next'
import { payments } from '#contract/areas/billing/payments.ts'
import type { Payment } from '#contract/entities/payment.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useOpenPayment } from '#src/components/use-pay.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Button } from '#src/ui/button.tsx'
import { Note } from '#src/ui/note.tsx'
import styles from './billing.module.css'

interface Props {
  readonly projectId: number
  readonly payment: Pick<Payment, 'payment_id' | 'instructions'>
  /** Distinguishes the buttons of several payments for assistive technology. */
  readonly name?: string
  /** The page shows the instructions of an invoice itself. */
  readonly isPage?: boolean
}

/** Buttons of a pending payment: continue at the provider, cancel. */
export function PendingActions({ projectId, payment, name, isPage = false }: Props) {
  const { t } = useTranslation('pay')
  const why = useFailureText('pay')
  const { colon } = usePunctuation()
  const { payment_id, instructions } = payment
  const { open, isPending, error } = useOpenPayment(projectId)
  const cancel = useWrite(payments.cancel)
  const problem = cancel.error ?? error
  const labelOf = (key: 'continue' | 'cancel') => (name ? t(`pending.${key}`) + colon + name : undefined)
  return (
    <div className={styles.foot}>
      {!(isPage && instructions !== null) && (
        <Button
          look={isPage ? 'filled' : 'outline'}
          aria-label={labelOf('continue')}
          isBusy={isPending}
          onClick={() => void open(payment_id)}
        >
          {t('pending.continue')}
        </Button>
      )}
      <Button
        look={isPage ? 'outline' : 'quiet'}
        aria-label={labelOf('cancel')}
        isBusy={cancel.isPending}
        onClick={() => cancel.mutate({ project_id: projectId, payment_id })}
      >
        {t('pending.cancel')}
      </Button>
      <Note tone="live">{problem && why(problem)}</Note>
    </div>
  )
}

import { useTranslation } from 'react-i18next'
import { payments } from '#contract/areas/operator/payments.ts'
import type { OperatorPayment } from '#contract/entities/payment.ts'
import { formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { useReviewText } from './review-text.ts'

interface Props {
  readonly payment: OperatorPayment
  readonly onClose: () => void
}

/** Decides on money that arrived in another amount than requested: credit it, or leave it. A return can only be closed. */
export function ResolveDialog({ payment, onClose }: Props) {
  const { payment_id, currency, review_case } = payment
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  const reviewText = useReviewText()
  const isReturn = review_case !== null && !['amount', 'currency'].includes(review_case.reason)
  return (
    <ChangeDialog
      title={t('payments.resolveTitle', { id: payment_id })}
      confirm={isReturn ? t('payments.closeReturn') : t('payments.resolve')}
      op={payments.resolve}
      values={{ decision: isReturn ? 'leave' : 'credit' }}
      inputOf={({ decision }) => ({ payment_id, book: decision === 'credit' })}
      onClose={onClose}
    >
      {({ field }) =>
        isReturn ? (
          <>
            <p>{reviewText(payment)}</p>
            <p>{t(review_case.reason === 'refund' ? 'payments.refundCaseText' : 'payments.returnText')}</p>
          </>
        ) : (
          <>
            <p>{t('payments.resolveText', { amount: formatMoney(review_case?.amount ?? 0, currency, language) })}</p>
            <SelectField
              label={t('payments.decision')}
              choices={[
                { value: 'credit', label: t('payments.credit') },
                { value: 'leave', label: t('payments.leave') },
              ]}
              {...field('decision')}
            />
          </>
        )
      }
    </ChangeDialog>
  )
}

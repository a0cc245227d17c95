import { useTranslation } from 'react-i18next'
import { payments } from '#contract/areas/operator/payments.ts'
import type { OperatorPayment } from '#contract/entities/payment.ts'
import { formatMoney } from '#src/lib/format.ts'
import { moneyText, parseMoney } from '#src/lib/money-input.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { useReviewText } from './review-text.ts'

interface Props {
  readonly payment: OperatorPayment
  readonly onClose: () => void
}

const minor = (text: string): number => parseMoney(text) ?? Number.NaN

/** Marks an invoice as paid with the amount that arrived. */
function PaidDialog({ payment: { payment_id, amount, currency }, onClose }: Props) {
  const { t } = useTranslation('operator-money')
  return (
    <ChangeDialog
      title={t('payments.paidTitle', { id: payment_id })}
      confirm={t('payments.paid')}
      op={payments.markPaid}
      values={{ amount: moneyText(amount) }}
      inputOf={(values) => ({ payment_id, amount: minor(values.amount) })}
      messages={{ amount: t('amountInvalid') }}
      onClose={onClose}
    >
      {({ field }) => (
        <TextField
          label={t('payments.arrived', { currency: currency.toUpperCase() })}
          hint={t('payments.arrivedHint')}
          inputMode="decimal"
          {...field('amount')}
        />
      )}
    </ChangeDialog>
  )
}

/** Refunds a payment, or a part of it; for the payment of a plan also with the end of the plan. */
function RefundDialog({ payment: { payment_id, left, currency, type }, onClose }: Props) {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  return (
    <ChangeDialog
      title={t('payments.refundTitle', { id: payment_id })}
      confirm={t('payments.refund')}
      op={payments.refund}
      values={{ amount: moneyText(left), end_plan: false }}
      inputOf={(values) => ({ payment_id, amount: minor(values.amount), end_plan: values.end_plan })}
      refusals={{ RefundTooHigh: 'amount' }}
      messages={{ amount: t('amountInvalid') }}
      onClose={onClose}
    >
      {({ field, values, change }) => (
        <>
          <p>{t('payments.refundText')}</p>
          <TextField
            label={t('payments.amount', { currency: currency.toUpperCase() })}
            hint={t('payments.left', { amount: formatMoney(left, currency, language) })}
            inputMode="decimal"
            {...field('amount')}
          />
          {type !== 'topup' && (
            <Switch
              label={t('payments.endPlan')}
              isOn={values.end_plan}
              onChange={(end_plan) => change({ end_plan })}
            />
          )}
        </>
      )}
    </ChangeDialog>
  )
}

/** Enters a dispute that the provider does not report. */
function DisputeDialog({ payment: { payment_id, left, currency }, onClose }: Props) {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  return (
    <ChangeDialog
      title={t('payments.disputeTitle', { id: payment_id })}
      confirm={t('payments.dispute')}
      op={payments.dispute}
      values={{ amount: moneyText(left) }}
      inputOf={(values) => ({ payment_id, amount: minor(values.amount) })}
      refusals={{ RefundTooHigh: 'amount' }}
      messages={{ amount: t('amountInvalid') }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p>{t('payments.disputeText')}</p>
          <TextField
            label={t('payments.amount', { currency: currency.toUpperCase() })}
            hint={t('payments.disputeLeft', { amount: formatMoney(left, currency, language) })}
            inputMode="decimal"
            {...field('amount')}
          />
        </>
      )}
    </ChangeDialog>
  )
}

/** Ends a dispute that was entered by hand. */
function EndDisputeDialog({ payment: { payment_id, open_dispute, currency }, onClose }: Props) {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  return (
    <ChangeDialog
      title={t('payments.endDisputeTitle', { id: payment_id })}
      confirm={t('payments.endDispute')}
      op={payments.endDispute}
      values={{ outcome: 'won' }}
      inputOf={({ outcome }) => ({ payment_id, won: outcome === 'won' })}
      onClose={onClose}
    >
      {({ field }) => (
        <SelectField
          label={t('payments.disputeOutcome')}
          choices={[
            { value: 'won', label: t('payments.won', { amount: formatMoney(open_dispute, currency, language) }) },
            { value: 'lost', label: t('payments.lost') },
          ]}
          {...field('outcome')}
        />
      )}
    </ChangeDialog>
  )
}

/** Dialogs of a payment by name. */
export const paymentDialogs = {
  paid: PaidDialog,
  refund: RefundDialog,
  dispute: DisputeDialog,
  endDispute: EndDisputeDialog,
  resolve: ResolveDialog,
} as const

interface ResolveDialogProps {
  readonly payment: OperatorPayment
  readonly onClose: () => void
}

/** Decides on money that arrived in another amount than requested: credit it, or leave it. A return can only be closed. */
function ResolveDialog({ payment, onClose }: ResolveDialogProps) {
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

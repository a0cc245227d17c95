import { useTranslation } from 'react-i18next'
import { payments } from '#contract/areas/operator/payments.ts'
import type { OperatorPayment } from '#contract/entities/payment.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { formatMoney } from '#src/lib/format.ts'
import { moneyText, parseMoney } from '#src/lib/money-input.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { TextField } from '#src/ui/text-field.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

interface Props {
  readonly payment: OperatorPayment
  readonly onClose: () => void
}

/** Marks an invoice as paid with the amount that arrived. */
export function PaidDialog({ payment: { payment_id, amount, currency }, onClose }: Props) {
  const { t } = useTranslation('operator-money')
  const form = useWriteForm({
    op: payments.markPaid,
    area: 'operator-money',
    values: { amount: moneyText(amount), reason: '' },
    inputOf: (values) => ({
      payment_id,
      amount: parseMoney(values.amount) ?? Number.NaN,
      reason: values.reason.trim(),
    }),
    messages: { amount: t('amountInvalid') },
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t('payments.paidTitle', { id: payment_id })}
      confirm={t('payments.paid')}
      area="operator-money"
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <TextField
        label={t('payments.arrived', { currency: currency.toUpperCase() })}
        hint={t('payments.arrivedHint')}
        inputMode="decimal"
        {...form.field('amount')}
      />
    </ReasonDialog>
  )
}

/** Refunds a payment, or a part of it. */
export function RefundDialog({ payment: { payment_id, left, currency }, onClose }: Props) {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  const form = useWriteForm({
    op: payments.refund,
    area: 'operator-money',
    values: { amount: moneyText(left), reason: '' },
    inputOf: (values) => ({
      payment_id,
      amount: parseMoney(values.amount) ?? Number.NaN,
      reason: values.reason.trim(),
    }),
    refusals: { RefundTooHigh: 'amount' },
    messages: { amount: t('amountInvalid') },
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t('payments.refundTitle', { id: payment_id })}
      confirm={t('payments.refund')}
      area="operator-money"
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <p>{t('payments.refundText')}</p>
      <TextField
        label={t('payments.amount', { currency: currency.toUpperCase() })}
        hint={t('payments.left', { amount: formatMoney(left, currency, language) })}
        inputMode="decimal"
        {...form.field('amount')}
      />
    </ReasonDialog>
  )
}

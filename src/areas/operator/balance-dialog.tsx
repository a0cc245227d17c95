import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Customer, customers } from '#contract/areas/operator/customers.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { formatMoney } from '#src/lib/format.ts'
import { parseMoney } from '#src/lib/money-input.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

const types = ['bonus', 'payment', 'profit'] as const
type Type = (typeof types)[number]

/** Adds money to a balance of a project, or takes it. */
export function BalanceDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const { t } = useTranslation('operator')
  const { colon } = usePunctuation()
  const language = useLanguage()
  // One key for the dialog: a repeated request changes the balance once.
  const [key] = useState(() => crypto.randomUUID())
  const { project_id, currency, name } = customer
  const form = useWriteForm({
    op: customers.changeBalance,
    area: 'operator',
    values: { balance: 'bonus' as Type, amount: '', reason: '' },
    inputOf: ({ balance, amount, reason }) => ({
      target_project_id: project_id,
      balance,
      amount: parseMoney(amount) ?? Number.NaN,
      reason: reason.trim(),
      idempotency_key: key,
    }),
    refusals: { BalanceTooLow: 'amount', AmountIsZero: 'amount' },
    messages: { amount: t('amount.invalid') },
    onSuccess: onClose,
  })
  const amount = parseMoney(form.values.amount)
  const after = customer[form.values.balance] + (amount ?? 0)
  return (
    <ReasonDialog
      title={t('balance.title', { name })}
      confirm={t(amount !== null && amount < 0 ? 'balance.take' : 'balance.add')}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <SelectField
        label={t('balance.which')}
        choices={types.map((value) => ({
          value,
          label: t(`balance.${value}`) + colon + formatMoney(customer[value], currency, language),
        }))}
        {...form.field('balance')}
      />
      <TextField
        label={t('balance.amount', { currency: currency.toUpperCase() })}
        hint={
          amount === null
            ? t('balance.amountHint')
            : t('balance.after', { amount: formatMoney(after, currency, language) })
        }
        {...form.field('amount')}
      />
    </ReasonDialog>
  )
}

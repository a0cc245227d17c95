import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { payments } from '#contract/areas/billing/payments.ts'
import { type PaySystem, paySystems } from '#contract/areas/billing/pay-systems.ts'
import type { Currency } from '#contract/entities/project.ts'
import { q } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { PaySystemChoice } from '#src/components/pay-system-choice.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { useOpenPayment, usePaySystems } from '#src/components/use-pay.ts'
import { formatMoney } from '#src/lib/format.ts'
import { parseMoney } from '#src/lib/money-input.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { randomId } from '#src/session/wire.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './billing.module.css'

interface Props {
  readonly projectId: number
  readonly currency: Currency
}

/** Top-up of the balance: amount, way to pay, and the step to the provider. */
export function TopUpCard({ projectId, currency }: Props) {
  const { t } = useTranslation('pay')
  const systems = usePaySystems(currency)
  return (
    <Card title={t('topUp.title')} note={t('topUp.note')}>
      <QueryPart query={systems} failed={t('failed')} skeleton={<Skeleton height={180} />}>
        {([first, ...rest]) =>
          first === undefined ? <NoWay /> : <TopUpForm projectId={projectId} systems={[first, ...rest]} />
        }
      </QueryPart>
    </Card>
  )
}

/** Reason why the project cannot pay: no way to pay at all, or none in its currency. */
function NoWay() {
  const { t } = useTranslation('pay')
  const all = useQuery(q(paySystems.list, {})).data?.results ?? []
  return <p className={styles.quiet}>{t(all.length === 0 ? 'none' : 'off')}</p>
}

interface FormProps {
  readonly projectId: number
  readonly systems: readonly [PaySystem, ...PaySystem[]]
}

function TopUpForm({ projectId, systems }: FormProps) {
  const { t } = useTranslation('pay')
  const why = useFailureText('pay')
  const language = useLanguage()
  const payment = useOpenPayment(projectId)
  // A repeated request after a lost response creates one payment.
  const [key] = useState(randomId)
  const systemOf = (id: number) => systems.find(({ pay_system_id }) => pay_system_id === id) ?? systems[0]
  const limitsOf = ({ min_amount, max_amount, currency }: PaySystem) =>
    t('limits', { min: formatMoney(min_amount, currency, language), max: formatMoney(max_amount, currency, language) })
  const form = useWriteForm({
    op: payments.create,
    area: 'pay',
    values: { amount: '', pay_system_id: systems[0].pay_system_id, save: false },
    inputOf: ({ amount: text, pay_system_id, save }) => {
      const amount = parseMoney(text) ?? 0
      return {
        project_id: projectId,
        type: 'topup' as const,
        amount,
        pay_system_id,
        save: save && systemOf(pay_system_id).recurrent === 1 ? (1 as const) : (0 as const),
        idempotency_key: [key, amount, pay_system_id, Number(save)].join('-'),
      }
    },
    rules: ({ amount: text, pay_system_id }) => {
      const system = systemOf(pay_system_id)
      const amount = parseMoney(text)
      const isAllowed = amount !== null && amount >= system.min_amount && amount <= system.max_amount
      return { amount: isAllowed ? undefined : limitsOf(system) }
    },
    refusals: { AmountNotAllowed: 'amount', BalanceTooHigh: 'amount', PaySystemNotOffered: 'pay_system_id' },
    onSuccess: ({ payment_id }) => payment.open(payment_id),
  })
  const { error, value, onChange } = form.field('pay_system_id')
  const system = systemOf(form.values.pay_system_id)
  const amount = parseMoney(form.values.amount)
  return (
    <form className={styles.topUp} noValidate onSubmit={form.submit}>
      <div className={styles.line}>
        <TextField
          label={t('topUp.amount')}
          inputMode="decimal"
          autoComplete="transaction-amount"
          hint={limitsOf(system)}
          {...form.field('amount')}
        />
      </div>
      <PaySystemChoice systems={systems} value={value} error={error} onChange={onChange} />
      {system.recurrent === 1 && (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={form.values.save}
            onChange={({ target }) => form.change({ save: target.checked })}
          />
          {t('topUp.save')}
        </label>
      )}
      <div className={styles.foot}>
        <Button type="submit" isBusy={form.isBusy}>
          {amount === null || amount <= 0
            ? t('topUp.pay')
            : t('topUp.payAmount', { amount: formatMoney(amount, system.currency, language) })}
        </Button>
      </div>
      <Note tone="live">{form.problem && why(form.problem)}</Note>
    </form>
  )
}

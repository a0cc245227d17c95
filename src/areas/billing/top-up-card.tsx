import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { payments } from '#contract/areas/billing/payments.ts'
import { type PaySystem, paySystems } from '#contract/areas/billing/pay-systems.ts'
import type { Currency } from '#contract/entities/project.ts'
import { q } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { PaySystemChoice } from '#src/components/pay-system-choice.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { payFields, type PaymentOption } from '#src/components/pay-ways.ts'
import { useOpenPayment, usePaySystems, usePaymentOptions } from '#src/components/use-pay.ts'
import { formatMoney } from '#src/lib/format.ts'
import { parseMoney } from '#src/lib/money-input.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { randomId } from '#src/session/wire.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { Note } from '#src/ui/note.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './billing.module.css'

interface Props {
  readonly projectId: number
  readonly currency: Currency
  /** Owed by the project, minor units. */
  readonly debt: number
}

/** Top-up of the balance: amount, way to pay, and the step to the provider. */
export function TopUpCard({ projectId, currency, debt }: Props) {
  const { t } = useTranslation('pay')
  const systems = usePaySystems(currency)
  return (
    <Card title={t('topUp.title')} note={t('topUp.note')}>
      <QueryPart query={systems} failed={t('failed')} skeleton={<Skeleton height={180} />}>
        {([first, ...rest]) =>
          first === undefined ? <NoWay /> : <TopUpWays projectId={projectId} systems={[first, ...rest]} debt={debt} />
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

interface WaysProps {
  readonly projectId: number
  readonly systems: readonly PaySystem[]
  readonly debt: number
}

function TopUpWays({ projectId, systems, debt }: WaysProps) {
  const [first, ...rest] = usePaymentOptions(projectId, systems) ?? []
  return first ? <TopUpForm projectId={projectId} ways={[first, ...rest]} debt={debt} /> : <Skeleton height={180} />
}

interface FormProps {
  readonly projectId: number
  readonly ways: readonly [PaymentOption, ...PaymentOption[]]
  readonly debt: number
}

function TopUpForm({ projectId, ways, debt }: FormProps) {
  const { t } = useTranslation('pay')
  const why = useFailureText('pay')
  const language = useLanguage()
  const payment = useOpenPayment(projectId)
  // A repeated request after a lost response creates one payment.
  const [key] = useState(randomId)
  const wayOf = (value: number) => ways.find((way) => way.value === value) ?? ways[0]
  const limitsOf = ({ min_amount, max_amount, currency }: PaySystem) =>
    t('limits', { min: formatMoney(min_amount, currency, language), max: formatMoney(max_amount, currency, language) })
  const form = useWriteForm({
    op: payments.create,
    area: 'pay',
    values: { amount: useSearchParams()[0].get('amount') ?? '', way: ways[0].value, save: false },
    inputOf: ({ amount: text, way, save }) => {
      const amount = parseMoney(text) ?? 0
      return {
        project_id: projectId,
        type: 'topup' as const,
        amount,
        ...payFields(wayOf(way), save),
        idempotency_key: [key, amount, way, Number(save)].join('-'),
      }
    },
    rules: ({ amount: text, way }) => {
      const { system } = wayOf(way)
      const amount = parseMoney(text)
      const isAllowed = amount !== null && amount >= system.min_amount && amount <= system.max_amount
      return { amount: isAllowed ? undefined : limitsOf(system) }
    },
    refusals: {
      AmountNotAllowed: 'amount',
      BalanceTooHigh: 'amount',
      PaySystemNotOffered: 'way',
      MethodNotFound: 'way',
    },
    wireNames: { pay_system_id: 'way' },
    onSuccess: ({ payment_id }) => payment.open(payment_id),
  })
  const { error, value, onChange } = form.field('way')
  const { system, method } = wayOf(form.values.way)
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
      <PaySystemChoice ways={ways} value={value} error={error} onChange={onChange} />
      {method === null && system.recurrent === 1 && (
        <label className={styles.check}>
          <Checkbox checked={form.values.save} onChange={({ target }) => form.change({ save: target.checked })} />
          {t('topUp.save')}
        </label>
      )}
      {debt > 0 && amount !== null && amount > 0 && (
        <p className={styles.quiet}>
          {t(amount > debt ? 'topUp.debtPart' : 'topUp.debtWhole', {
            debt: formatMoney(Math.min(debt, amount), system.currency, language),
            rest: formatMoney(Math.max(0, amount - debt), system.currency, language),
            owed: formatMoney(Math.max(0, debt - amount), system.currency, language),
          })}
        </p>
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

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Customer, customers, type PlanChange } from '#contract/areas/operator/customers.ts'
import { periodNames } from '#contract/entities/plan.ts'
import { q } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Note } from '#src/ui/note.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import styles from './operator.module.css'
import { lineAndPlan, usePlanChoices } from './plan-choices.ts'

interface Props {
  readonly customer: Pick<Customer, 'project_id' | 'name'>
  readonly onClose: () => void
}

/** Moves a project to another plan, and names what it costs, what comes back, and when it starts before it does. */
export function PlanChangeDialog({ customer: { project_id: target_project_id, name }, onClose }: Props) {
  const { t } = useTranslation(['operator', 'operator-desk'])
  const [key] = useState(() => crypto.randomUUID())
  const choices = usePlanChoices({ isAssignedTo: target_project_id })
  const [chosen, setChosen] = useState({ plan: '', period: 'month' as (typeof periodNames)[number] })
  const wanted = { target_project_id, ...lineAndPlan(chosen.plan || choices[0]?.value), period: chosen.period }
  const quote = useQuery({
    ...q(customers.planChange, wanted),
    enabled: choices.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const change = quote.error || quote.isPlaceholderData ? undefined : quote.data
  return (
    <ChangeDialog
      title={t('operator-desk:planChange.title', { name })}
      confirm={t('operator-desk:planChange.confirm')}
      op={customers.changePlan}
      values={{}}
      inputOf={() => ({
        ...wanted,
        quote_total: change ? change.price - change.refund : Number.NaN,
        idempotency_key: key,
      })}
      isOff={change === undefined || change.balance_after < 0}
      onClose={onClose}
    >
      {() => (
        <>
          <div className={styles.columns}>
            <SelectField
              label={t('gift.plan')}
              choices={choices}
              value={chosen.plan || (choices[0]?.value ?? '')}
              onChange={(plan) => setChosen({ ...chosen, plan })}
            />
            <SelectField
              label={t('gift.period')}
              choices={periodNames.map((value) => ({ value, label: t(`gift.${value}`) }))}
              value={chosen.period}
              onChange={(period) => setChosen({ ...chosen, period })}
            />
          </div>
          <Consequence change={change} error={quote.error} />
        </>
      )}
    </ChangeDialog>
  )
}

interface ConsequenceProps {
  /** Undefined until it is known. */
  readonly change: PlanChange | undefined
  readonly error: Error | null
}

/** Money and dates of another plan. */
function Consequence({ change, error }: ConsequenceProps) {
  const { t } = useTranslation(['operator-desk', 'tariffs'])
  const why = useFailureText('operator')
  if (error) return <Note tone="warn">{why(error)}</Note>
  if (!change) return <Skeleton height={180} />
  const { action, price, refund, balance_after, currency, date_start, date_end } = change
  return (
    <>
      <FactList>
        <Fact name={t('planChange.price')}>
          <MoneyAmount amountMinor={price} currency={currency} />
        </Fact>
        <Fact name={t('planChange.refund')}>
          <MoneyAmount amountMinor={refund} currency={currency} />
        </Fact>
        <Fact name={t('planChange.balanceAfter')}>
          <MoneyAmount amountMinor={Math.max(0, balance_after)} currency={currency} />
        </Fact>
        <Fact name={t('planChange.starts')}>
          <DateStamp iso={date_start} />
        </Fact>
        <Fact name={t('planChange.ends')}>
          <DateStamp iso={date_end} />
        </Fact>
      </FactList>
      <p className={styles.quiet}>{t(`planChange.effect.${action}`)}</p>
      {balance_after < 0 && (
        <Note tone="warn">
          {t('planChange.short')} <MoneyAmount amountMinor={-balance_after} currency={currency} />
        </Note>
      )}
    </>
  )
}

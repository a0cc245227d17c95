import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Customer, customers } from '#contract/areas/operator/customers.ts'
import { plans } from '#contract/areas/operator/plans.ts'
import { type LineName, lineNames, Period } from '#contract/entities/plan.ts'
import { q } from '#src/api/query.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import styles from './operator.module.css'
import { ReasonDialog } from './reason-dialog.tsx'

/** Gives a plan to a project. */
export function GiftDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const { t } = useTranslation('operator')
  const { colon } = usePunctuation()
  const [key] = useState(() => crypto.randomUUID())
  const catalogue = useQuery(q(plans.list, {})).data
  const offered = lineNames.flatMap((line) =>
    (catalogue?.[line] ?? [])
      .filter((plan) => plan.active && !('type' in plan && plan.type === 'free'))
      .map(({ id, title }) => ({ value: `${line} ${id}`, label: t(`line.${line}`) + colon + title })),
  )
  const first = offered[0]?.value ?? ''
  const form = useWriteForm({
    op: customers.gift,
    area: 'operator',
    values: { plan: '', period: 'month' as Period, reason: '' },
    inputOf: ({ plan, period, reason }) => {
      const [line, planId] = (plan || first).split(' ')
      return {
        target_project_id: customer.project_id,
        line: line as LineName,
        plan_id: Number(planId),
        period,
        reason: reason.trim(),
        idempotency_key: key,
      }
    },
    wireNames: { line: 'plan', plan_id: 'plan' },
    refusals: { GiftReplacesPlan: 'plan', PlanNotForSale: 'plan' },
    onSuccess: onClose,
  })
  const plan = form.field('plan')
  return (
    <ReasonDialog
      title={t('gift.title', { name: customer.name })}
      confirm={t('gift.open')}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <p className={styles.quiet}>{t('gift.text')}</p>
      <div className={styles.columns}>
        <SelectField label={t('gift.plan')} choices={offered} {...plan} value={plan.value || first} />
        <SelectField
          label={t('gift.period')}
          choices={Period.options.map((value) => ({ value, label: t(`gift.${value}`) }))}
          {...form.field('period')}
        />
      </div>
    </ReasonDialog>
  )
}

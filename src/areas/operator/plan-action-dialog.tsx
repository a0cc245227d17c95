import { useTranslation } from 'react-i18next'
import { plans } from '#contract/areas/operator/plans.ts'
import type { LineName } from '#contract/entities/plan.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { type EditedPlan, saves } from './plan-dialog.tsx'
import { factsRemoved } from './plan-form.ts'
import { ReasonDialog } from './reason-dialog.tsx'

interface Props {
  readonly line: LineName
  readonly plan: EditedPlan
  readonly action: 'archive' | 'sell' | 'remove'
  readonly onClose: () => void
}

/** Archives a plan, sells an archived one again, or removes one that was never bought. */
export function PlanActionDialog({ line, plan, action, onClose }: Props) {
  const { t } = useTranslation('operator')
  const form = useWriteForm({
    op: action === 'remove' ? (plans.remove as unknown as (typeof saves)['storage']) : saves[line as 'storage'],
    area: 'operator',
    values: { reason: '' },
    // The fields are those of the line, which the compiler does not follow through the table.
    inputOf: ({ reason: text }) => {
      const reason = text.trim()
      const { id: plan_id } = plan
      return (
        action === 'remove'
          ? { line, plan_id, reason }
          : { ...factsRemoved(plan), plan_id, active: action === 'sell', reason }
      ) as never
    },
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t(`planAction.${action}.title`, { title: plan.title })}
      confirm={t(`planAction.${action}.open`)}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <p>{t(`planAction.${action}.text`)}</p>
    </ReasonDialog>
  )
}

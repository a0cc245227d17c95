import { useTranslation } from 'react-i18next'
import { plans } from '#contract/areas/operator/plans.ts'
import type { LineName } from '#contract/entities/plan.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './operator.module.css'
import type { EditedPlan } from './plan-dialog.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

interface Props {
  readonly line: LineName
  readonly plan: EditedPlan
  readonly onClose: () => void
}

/** Shows an unlisted plan to a project, or hides it from one that sees it. */
export function AssignDialog({ line, plan, onClose }: Props) {
  const { t } = useTranslation('operator')
  const { list } = usePunctuation()
  const { assigned = [] } = plan as { readonly assigned?: readonly number[] }
  const isAssigned = (project: string) => assigned.includes(Number(project))
  const form = useWriteForm({
    op: plans.assign,
    area: 'operator',
    values: { project: '', reason: '' },
    inputOf: ({ project, reason }) => ({
      line,
      plan_id: plan.id ?? 0,
      target_project_id: Number(project.trim() || Number.NaN),
      assigned: !isAssigned(project),
      reason: reason.trim(),
    }),
    wireNames: { target_project_id: 'project' },
    refusals: { ProjectNotFound: 'project' },
    messages: { project: t('plan.wholeInvalid') },
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t('assign.title', { title: plan.title })}
      confirm={t(isAssigned(form.values.project) ? 'assign.hide' : 'assign.show')}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <p className={styles.quiet}>
        {assigned.length === 0 ? t('assign.none') : t('assign.to', { projects: assigned.join(list) })}
      </p>
      <TextField label={t('assign.project')} inputMode="numeric" {...form.field('project')} />
    </ReasonDialog>
  )
}

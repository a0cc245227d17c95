import { useTranslation } from 'react-i18next'
import { plans } from '#contract/areas/operator/plans.ts'
import type { LineName } from '#contract/entities/plan.ts'
import type { FieldBinding } from '#src/components/form/use-form.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './operator.module.css'
import { allFieldsOf, draftOf, fieldsOf, type PlanField, planOf } from './plan-form.ts'
import { ReasonDialog } from './reason-dialog.tsx'

/** A plan as the list has it; without an `id` a new one. */
export type EditedPlan = Readonly<Record<string, unknown>> & {
  readonly id?: number | undefined
  readonly title: string
}

interface Props {
  readonly line: LineName
  readonly plan: EditedPlan
  /** Recording space that every plan has at least, GB. */
  readonly recordLimit: number
  readonly onClose: () => void
}

const saves = { restream: plans.saveRestream, transcoding: plans.saveTranscoding, storage: plans.saveStorage }

/** Edits a plan, or makes a new one. */
export function PlanDialog({ line, plan, recordLimit, onClose }: Props) {
  const { t } = useTranslation('operator')
  const isNew = plan.id === undefined
  const fields = allFieldsOf(line)
  const textOf = ({ kind }: PlanField): string =>
    kind === 'money' ? t('amount.invalid') : t(kind === 'text' ? 'plan.titleMissing' : 'plan.wholeInvalid')
  const form = useWriteForm({
    op: saves[line],
    area: 'operator',
    values: { ...draftOf(fields, plan), reason: '' } as Record<string, string | boolean>,
    inputOf: (draft) => {
      const { id: plan_id, index: _, projects: __, assigned: ___, ...rest } = plan as Record<string, unknown>
      // The fields are those of the line, which the compiler does not follow through the table.
      return { ...planOf(line, rest, draft, isNew), plan_id, reason: String(draft['reason']).trim() } as never
    },
    mode: 'onChange',
    messages: Object.fromEntries(fields.map((field) => [field.name, textOf(field)])),
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={isNew ? t('plan.add') : t('plan.edit', { title: plan.title })}
      confirm={t('save')}
      form={form}
      reason={form.field('reason') as FieldBinding<string>}
      onClose={onClose}
    >
      <p className={styles.quiet}>{t('plan.soldStays')}</p>
      <div className={styles.columns}>
        {fieldsOf(line, form.values['type'], isNew).map((field) => (
          <PlanInput
            key={field.name}
            field={field}
            binding={form.field(field.name)}
            hint={field.name === 'video_storage' ? t('plan.recordLimit', { size: recordLimit }) : undefined}
          />
        ))}
      </div>
    </ReasonDialog>
  )
}

interface InputProps {
  readonly field: PlanField
  readonly binding: FieldBinding<string | boolean>
  readonly hint: string | undefined
}

function PlanInput({ field, binding, hint }: InputProps) {
  const { name, label: key = name, kind, choices, isNamed, isOptional } = field
  const { t } = useTranslation('operator')
  const label = t(`plan.field.${key}`, { currency: field.currency?.toUpperCase() })
  if (kind === 'flag') return <Switch label={label} isOn={binding.value === true} onChange={binding.onChange} />
  const text = binding as FieldBinding<string>
  if (choices)
    return (
      <SelectField
        label={label}
        choices={choices.map((value) => ({ value, label: isNamed ? t(`plan.types.${value}`) : value }))}
        {...text}
      />
    )
  return (
    <TextField
      label={label}
      hint={isOptional && kind === 'money' ? t('plan.emptyPrice') : hint}
      inputMode={kind === 'text' ? 'text' : 'decimal'}
      {...text}
    />
  )
}

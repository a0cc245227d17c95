import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { plans } from '#contract/areas/operator/plans.ts'
import type { Discount, LineName } from '#contract/entities/plan.ts'
import type { FieldBinding } from '#src/components/form/use-form.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { ChoiceList } from '#src/ui/choice-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './operator.module.css'
import {
  allFieldsOf,
  type Draft,
  draftOf,
  factsRemoved,
  fieldsOf,
  kindsOf,
  type PlanField,
  planOf,
} from './plan-form.ts'
import { ReasonDialog } from './reason-dialog.tsx'

/** A plan as the list has it; without an `id` a new one. */
export type EditedPlan = Readonly<Record<string, unknown>> & {
  readonly id?: number | undefined
  readonly title: string
}

const PlanPreview = lazy(async () => ({ default: (await import('./plan-preview.tsx')).PlanPreview }))

interface Props {
  readonly line: LineName
  readonly plan: EditedPlan
  readonly discount: Discount
  /** Recording space that every plan has at least, GB. */
  readonly recordLimit: number
  readonly onClose: () => void
}

/** Operations that save a plan, by line. */
export const saves = { restream: plans.saveRestream, transcoding: plans.saveTranscoding, storage: plans.saveStorage }

/** Returns the kind of a plan; an empty text for a line that has one. */
const typeOf = ({ type }: EditedPlan): string => (typeof type === 'string' ? type : '')

/** Edits a plan, or makes a new one. */
export function PlanDialog({ line, plan, discount, recordLimit, onClose }: Props) {
  const { t } = useTranslation('operator')
  const isNew = plan.id === undefined
  const fields = allFieldsOf(line)
  const kinds = isNew ? kindsOf(line) : null
  const textOf = ({ kind }: PlanField): string =>
    kind === 'money' ? t('amount.invalid') : t(kind === 'text' ? 'plan.titleMissing' : 'plan.wholeInvalid')
  const valuesOf = (draft: Draft) => planOf(line, factsRemoved(plan), draft, isNew)
  const form = useWriteForm({
    op: saves[line],
    area: 'operator',
    values: { ...draftOf(fields, plan), type: typeOf(plan), reason: '' } as Record<string, string | boolean>,
    // The fields are those of the line, which the compiler does not follow through the table.
    inputOf: (draft) => ({ ...valuesOf(draft), plan_id: plan.id, reason: String(draft['reason']).trim() }) as never,
    mode: 'onChange',
    // A text that is a value of another kind; the contract says which values are too large or too small.
    rules: (draft) => {
      const values = valuesOf(draft)
      const wrong = fieldsOf(line, values['type']).filter(({ name }) => values[name] === undefined)
      return Object.fromEntries(wrong.map((field) => [field.name, textOf(field)]))
    },
    onSuccess: onClose,
  })
  const shown = fieldsOf(line, (isNew && form.values['type']) || plan['type'])
  return (
    <ReasonDialog
      title={isNew ? t('plan.add') : t('plan.edit', { title: plan.title })}
      confirm={t('save')}
      form={form}
      reason={form.field('reason') as FieldBinding<string>}
      onClose={onClose}
    >
      <p className={styles.quiet}>{t('plan.soldStays')}</p>
      {kinds && (
        <ChoiceList
          label={t('plan.field.type')}
          choices={kinds.map((value) => ({
            value,
            title: t(`plan.types.${value}`),
            text: t(`plan.typeTexts.${value}`),
          }))}
          {...(form.field('type') as FieldBinding<string>)}
        />
      )}
      <div className={styles.columns}>
        {shown.map((field) => (
          <PlanInput
            key={field.name}
            field={field}
            binding={form.field(field.name)}
            hint={field.name === 'video_storage' ? t('plan.recordLimit', { size: recordLimit }) : undefined}
          />
        ))}
      </div>
      <Suspense fallback={<Skeleton height={480} />}>
        <PlanPreview line={line} values={valuesOf(form.values)} discount={discount} recordLimit={recordLimit} />
      </Suspense>
    </ReasonDialog>
  )
}

interface InputProps {
  readonly field: PlanField
  readonly binding: FieldBinding<string | boolean>
  readonly hint: string | undefined
}

function PlanInput({ field, binding, hint }: InputProps) {
  const { name, label: key = name, kind, choices, isOptional } = field
  const { t } = useTranslation('operator')
  const label = t(`plan.field.${key}`, {
    currency: field.currency?.toUpperCase(),
    language: field.language && t(`common:language.${field.language}`),
  })
  if (kind === 'flag') return <Switch label={label} isOn={binding.value === true} onChange={binding.onChange} />
  const text = binding as FieldBinding<string>
  if (choices)
    return <SelectField label={label} choices={choices.map((value) => ({ value, label: value }))} {...text} />
  return (
    <TextField
      label={label}
      hint={isOptional && kind === 'money' ? t('plan.emptyPrice') : field.language ? t('plan.emptyTitle') : hint}
      inputMode={kind === 'text' ? 'text' : 'decimal'}
      {...text}
    />
  )
}

import { type ReactNode, type SyntheticEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Input, WriteOperation } from '#contract/core/operation.ts'
import { toApiError } from '#src/api/api-error.ts'
import { useWrite } from '#src/api/query.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import styles from '#src/areas/channels/add/add.module.css'
import { Refusal } from '#src/areas/channels/refusal.tsx'
import { useReportUnsaved } from './unsaved-forms.tsx'

/** Values and errors for the fields of a form. */
export interface FormState<T> {
  readonly values: T
  readonly change: (part: Partial<T>) => void
  /** Error of a field, by the field's wire name. */
  readonly errorOf: (...names: string[]) => string | undefined
}

interface Props<T extends object, O extends WriteOperation> {
  readonly projectId: number
  readonly title: string
  readonly note?: ReactNode
  /** Values as the service has them. */
  readonly saved: T
  readonly op: O
  readonly inputOf: (values: T) => Input<O>
  /** Returns the reason why the values cannot be sent, or null. */
  readonly wrong?: (values: T) => string | null
  readonly children: (form: FormState<T>) => ReactNode
}

/** Card with a form; keeps input until it is saved or discarded. */
export function FormCard<T extends object, O extends WriteOperation>(props: Props<T, O>) {
  const { projectId, title, note, saved, op, inputOf, wrong, children } = props
  const { t } = useTranslation('channels')
  const noteId = useId()
  const [draft, setDraft] = useState<Partial<T>>({})
  // Treat sent values as saved until the new state arrives.
  const [sent, setSent] = useState<{ readonly before: string; readonly values: T } | null>(null)
  const before = JSON.stringify(saved)
  const ground = sent?.before === before ? sent.values : saved
  const values = { ...ground, ...draft }
  const isDirty = JSON.stringify(values) !== JSON.stringify(ground)
  useReportUnsaved(noteId, isDirty)

  const write = useWrite<O>(op, {
    onSuccess: () => {
      setSent({ before, values })
      setDraft({})
    },
  })
  const reason = isDirty ? (wrong?.(values) ?? null) : null
  const refused = write.error ? toApiError(write.error).fields : {}
  const change = (part: Partial<T>) => {
    setDraft((now) => ({ ...now, ...part }))
    if (!write.isPending) write.reset()
  }
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (isDirty && reason === null && !write.isPending) write.mutate(inputOf(values))
  }
  return (
    <Card title={title} note={note}>
      <form className={styles.form} noValidate onSubmit={handleSubmit}>
        {children({ values, change, errorOf: (...names) => names.flatMap((name) => refused[name] ?? []).join(' ') })}
        <div className={styles.acts}>
          <Button type="submit" isBusy={write.isPending} isOff={!isDirty || reason !== null} aria-describedby={noteId}>
            {t('form.save')}
          </Button>
          {isDirty && !write.isPending && (
            <Button look="quiet" onClick={() => setDraft({})}>
              {t('form.undo')}
            </Button>
          )}
          <output id={noteId} className={styles.state} data-bad={Boolean(write.error ?? reason) || undefined}>
            {write.error ? (
              <>
                {t('form.notSaved')} <Refusal projectId={projectId} error={write.error} isInForm />
              </>
            ) : (
              (reason ?? t(isDirty ? 'form.unsaved' : write.isSuccess ? 'form.saved' : 'form.nothing'))
            )}
          </output>
        </div>
      </form>
    </Card>
  )
}

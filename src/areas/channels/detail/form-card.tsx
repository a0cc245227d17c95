import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Input, WriteOperation } from '#contract/core/operation.ts'
import type { FieldMap } from '#src/components/form/field-texts.ts'
import type { FieldValues, Form } from '#src/components/form/use-form.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import styles from '#src/areas/channels/add/add.module.css'
import { Refusal } from '#src/areas/channels/refusal.tsx'
import { useReportUnsaved } from './unsaved-forms.tsx'

interface Props<V extends FieldValues, O extends WriteOperation> extends Pick<FieldMap<V>, 'messages' | 'rules'> {
  readonly projectId: number
  readonly title: string
  readonly note?: ReactNode
  /** Values as the service has them. */
  readonly saved: V
  readonly op: O
  readonly inputOf: (values: V) => Input<O>
  readonly children: (form: Form<V>) => ReactNode
}

/** Card with a form; keeps input until it is saved or discarded. */
export function FormCard<V extends FieldValues, O extends WriteOperation>(props: Props<V, O>) {
  const { projectId, title, note, saved, children, ...rest } = props
  const { t } = useTranslation('channels')
  const noteId = useId()
  const form = useWriteForm<V, O>({ ...rest, area: 'channels', values: saved, mode: 'onChange' })
  const { isDirty, isBusy, write } = form
  useReportUnsaved(noteId, isDirty)
  return (
    <Card title={title} note={note}>
      <form className={styles.form} noValidate onSubmit={form.submit}>
        {children(form)}
        <div className={styles.acts}>
          <Button type="submit" isBusy={isBusy} isOff={!isDirty} aria-describedby={noteId}>
            {t('form.save')}
          </Button>
          {isDirty && !isBusy && (
            <Button look="quiet" onClick={form.undo}>
              {t('form.undo')}
            </Button>
          )}
          <output id={noteId} className={styles.state} data-bad={write.error !== null || undefined}>
            {write.error ? (
              <>
                {t('form.notSaved')} <Refusal projectId={projectId} error={write.error} isInForm />
              </>
            ) : (
              t(isDirty ? 'form.unsaved' : form.output ? 'form.saved' : 'form.nothing')
            )}
          </output>
        </div>
      </form>
    </Card>
  )
}

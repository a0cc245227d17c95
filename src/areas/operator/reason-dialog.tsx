import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#src/components/failure.tsx'
import type { FieldBinding } from '#src/components/form/use-form.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'

interface Props {
  readonly title: string
  readonly confirm: string
  /** Form of the change, from `useWriteForm`. */
  readonly form: { readonly isBusy: boolean; readonly problem: Error | null; readonly submit: () => void }
  /** Its field for the reason. */
  readonly reason: FieldBinding<string>
  /** Namespace with `refusal` texts. */
  readonly area?: string
  /** The change is not possible as it is. */
  readonly isOff?: boolean
  readonly children?: ReactNode
  readonly onClose: () => void
}

const reasonMax = 500

/** Dialog of a change that the operator log keeps: content, the reason, and the button. */
export function ReasonDialog({
  title,
  confirm,
  form,
  reason,
  area = 'operator',
  isOff = false,
  children,
  onClose,
}: Props) {
  const { t } = useTranslation('operator')
  const why = useFailureText(area)
  return (
    <Dialog title={title} onClose={() => form.isBusy || onClose()}>
      <DialogForm
        problem={form.problem && why(form.problem)}
        cancel={t('cancel')}
        submit={confirm}
        isBusy={form.isBusy}
        isOff={isOff || reason.value.trim() === ''}
        onSubmit={form.submit}
        onClose={onClose}
      >
        {children}
        <TextField label={t('reason.label')} hint={t('reason.hint')} limit={reasonMax} {...reason} />
      </DialogForm>
    </Dialog>
  )
}

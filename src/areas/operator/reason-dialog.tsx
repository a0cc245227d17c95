import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#src/components/failure.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'

interface Props {
  readonly title: string
  readonly confirm: string
  /** State of the write. */
  readonly write: { readonly isPending: boolean; readonly error: Error | null }
  /** Confirmation is disabled. */
  readonly isOff?: boolean
  readonly children?: ReactNode
  readonly onSubmit: (reason: string) => void
  readonly onClose: () => void
}

const reasonMax = 500

/** Dialog of a change that the operator log keeps: content, the reason, and the button. */
export function ReasonDialog({ title, confirm, write, isOff = false, children, onSubmit, onClose }: Props) {
  const { t } = useTranslation('operator')
  const why = useFailureText('operator')
  const [reason, setReason] = useState('')
  const given = reason.trim()
  const isReady = given !== '' && given.length <= reasonMax && !isOff
  return (
    <Dialog title={title} onClose={() => write.isPending || onClose()}>
      <DialogForm
        problem={write.error && why(write.error)}
        actions={
          <>
            <Button look="outline" isOff={write.isPending} onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" isBusy={write.isPending} isOff={!isReady}>
              {confirm}
            </Button>
          </>
        }
        onSubmit={() => isReady && !write.isPending && onSubmit(given)}
      >
        {children}
        <TextField
          label={t('reason.label')}
          hint={t('reason.hint')}
          limit={reasonMax}
          value={reason}
          onChange={setReason}
        />
      </DialogForm>
    </Dialog>
  )
}

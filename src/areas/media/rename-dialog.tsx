import { useTranslation } from 'react-i18next'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { videos } from '#contract/areas/media/videos.ts'
import { mediaLimits } from '#contract/entities/media.ts'
import { useFailureText } from '#src/components/failure.tsx'
import type { FieldBinding } from '#src/components/form/use-form.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'

interface FileProps {
  readonly projectId: number
  readonly id: number
  readonly name: string
  readonly onClose: () => void
}

interface Props extends Pick<FileProps, 'projectId' | 'onClose'> {
  readonly file: { readonly id: number; readonly name: string; readonly isRecording: boolean }
}

/** Renames a file of the library, or a recording. */
export function RenameDialog({ projectId, file: { id, name, isRecording }, onClose }: Props) {
  const Form = isRecording ? RenameRecording : RenameFile
  return <Form {...{ projectId, id, name, onClose }} />
}

function RenameFile({ projectId, id, name, onClose }: FileProps) {
  const form = useWriteForm({
    op: mediaFiles.update,
    values: { name },
    inputOf: (values) => ({ project_id: projectId, media_id: id, name: values.name.trim() }),
    onSuccess: onClose,
  })
  return <NameDialog form={form} field={form.field('name')} onClose={onClose} />
}

function RenameRecording({ projectId, id, name, onClose }: FileProps) {
  const form = useWriteForm({
    op: videos.update,
    values: { name },
    inputOf: (values) => ({ project_id: projectId, id, name: values.name.trim() }),
    onSuccess: onClose,
  })
  return <NameDialog form={form} field={form.field('name')} onClose={onClose} />
}

interface NameProps {
  readonly form: { readonly isBusy: boolean; readonly problem: Error | null; readonly submit: () => void }
  readonly field: FieldBinding<string>
  readonly onClose: () => void
}

function NameDialog({ form, field, onClose }: NameProps) {
  const { t } = useTranslation('media')
  const why = useFailureText('media')
  return (
    <Dialog title={t('rename.title')} onClose={onClose}>
      <DialogForm
        problem={form.problem && t('notSaved', { why: why(form.problem) })}
        cancel={t('cancel')}
        submit={t('rename.save')}
        isBusy={form.isBusy}
        onSubmit={form.submit}
        onClose={onClose}
      >
        <TextField label={t('rename.name')} limit={mediaLimits.name} autoComplete="off" {...field} />
      </DialogForm>
    </Dialog>
  )
}

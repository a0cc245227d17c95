import { useTranslation } from 'react-i18next'
import { projectNameMax, projects } from '#contract/areas/projects/projects.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { Refusal } from './refusal.tsx'

interface Props {
  readonly projectId: number
  readonly name: string
  readonly onClose: () => void
}

/** Dialog that renames a project. */
export function RenameDialog({ projectId, name, onClose }: Props) {
  const { t } = useTranslation('projects')
  const form = useWriteForm({
    op: projects.update,
    area: 'projects',
    values: { name },
    inputOf: (values) => ({ project_id: projectId, name: values.name.trim() }),
    onSuccess: onClose,
  })
  const wanted = form.values.name.trim()
  return (
    <Dialog title={t('rename.title')} onClose={onClose}>
      <DialogForm
        problem={form.problem && <Refusal error={form.problem} />}
        actions={
          <>
            <Button look="outline" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" isBusy={form.isBusy} isOff={wanted === '' || wanted === name}>
              {t('rename.save')}
            </Button>
          </>
        }
        onSubmit={form.submit}
      >
        <TextField label={t('rename.name')} limit={projectNameMax} {...form.field('name')} />
      </DialogForm>
    </Dialog>
  )
}

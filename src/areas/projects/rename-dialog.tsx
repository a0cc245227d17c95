import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { projectNameMax, projects } from '#contract/areas/projects/projects.ts'
import { useWrite } from '#src/api/query.ts'
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
  const [text, setText] = useState(name)
  const save = useWrite(projects.update, { onSuccess: onClose })
  const wanted = text.trim()
  const isOff = wanted === '' || wanted === name || wanted.length > projectNameMax
  const handleSubmit = () => {
    if (!isOff && !save.isPending) save.mutate({ project_id: projectId, name: wanted })
  }
  return (
    <Dialog title={t('rename.title')} onClose={onClose}>
      <DialogForm
        problem={save.error && <Refusal error={save.error} />}
        actions={
          <>
            <Button look="outline" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" isBusy={save.isPending} isOff={isOff}>
              {t('rename.save')}
            </Button>
          </>
        }
        onSubmit={handleSubmit}
      >
        <TextField label={t('rename.name')} limit={projectNameMax} value={text} onChange={setText} />
      </DialogForm>
    </Dialog>
  )
}

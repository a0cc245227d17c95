import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { projectNameMax, projects } from '#contract/areas/projects/projects.ts'
import { useWrite } from '#src/api/query.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './projects.module.css'
import { Refusal } from './refusal.tsx'

interface Props {
  readonly projectId: number
  readonly name: string
  readonly onClose: () => void
}

/** Another name for a project. */
export function RenameDialog({ projectId, name, onClose }: Props) {
  const { t } = useTranslation('projects')
  const [text, setText] = useState(name)
  const save = useWrite(projects.update, { onSuccess: onClose })
  const wanted = text.trim()
  const isOff = wanted === '' || wanted === name || wanted.length > projectNameMax
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!isOff && !save.isPending) save.mutate({ project_id: projectId, name: wanted })
  }
  return (
    <Dialog title={t('rename.title')} onClose={onClose}>
      <form className={styles.form} onSubmit={handleSubmit} noValidate>
        <TextField label={t('rename.name')} limit={projectNameMax} value={text} onChange={setText} />
        <div role="alert" className={styles.refused}>
          {save.error && <Refusal error={save.error} />}
        </div>
        <div className={styles.acts}>
          <Button look="outline" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" isBusy={save.isPending} isOff={isOff}>
            {t('rename.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

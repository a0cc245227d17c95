import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { useWrite } from '#src/api/query.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { pullNameMax } from './create-pull-key.tsx'
import type { PullKey } from './pull-key.ts'
import { useIngestWords } from './use-ingest-words.ts'

interface Props {
  readonly projectId: number
  readonly pullKey: PullKey
  readonly onClose: () => void
}

/** Dialog that renames a pull key. The key itself does not change. */
export function RenamePullKey({ projectId, pullKey, onClose }: Props) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const [name, setName] = useState(pullKey.name)
  const rename = useWrite(pullKeys.update, { onSuccess: onClose })
  const handleSubmit = () => {
    if (!rename.isPending && name.length <= pullNameMax)
      rename.mutate({ project_id: projectId, key: pullKey.uuid, name: name.trim() })
  }
  return (
    <Dialog title={t('pull.renameTitle')} onClose={onClose}>
      <DialogForm
        problem={rename.error && t('pull.notDone', { why: why(rename.error) })}
        actions={
          <>
            <Button look="outline" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" isBusy={rename.isPending}>
              {t('pull.save')}
            </Button>
          </>
        }
        onSubmit={handleSubmit}
      >
        <TextField label={t('pull.name')} value={name} limit={pullNameMax} onChange={setName} />
      </DialogForm>
    </Dialog>
  )
}

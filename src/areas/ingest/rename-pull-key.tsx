import { useTranslation } from 'react-i18next'
import { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
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
  const form = useWriteForm({
    op: pullKeys.update,
    area: 'ingest',
    values: { name: pullKey.name },
    inputOf: ({ name }) => ({ project_id: projectId, key: pullKey.uuid, name: name.trim() }),
    onSuccess: onClose,
  })
  return (
    <Dialog title={t('pull.renameTitle')} onClose={onClose}>
      <DialogForm
        problem={form.problem && t('pull.notDone', { why: why(form.problem) })}
        actions={
          <>
            <Button look="outline" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" isBusy={form.isBusy}>
              {t('pull.save')}
            </Button>
          </>
        }
        onSubmit={form.submit}
      >
        <TextField label={t('pull.name')} limit={pullNameMax} {...form.field('name')} />
      </DialogForm>
    </Dialog>
  )
}

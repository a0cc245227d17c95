import { useTranslation } from 'react-i18next'
import { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { type Transport, transports } from '#contract/entities/ingest.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { Choice } from './choice.tsx'
import styles from './ingest.module.css'
import { useIngestWords } from './use-ingest-words.ts'

/** Maximum length of a key name, characters. */
export const pullNameMax = 255

interface Props {
  readonly projectId: number
  /** Transports of the available servers; empty before any server has reported. */
  readonly offered: readonly Transport[]
  readonly onClose: () => void
}

/** Dialog for a new pull key: transport and name. */
export function CreatePullKey({ projectId, offered, onClose }: Props) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const choices = offered.length === 0 ? transports : offered
  const form = useWriteForm({
    op: pullKeys.create,
    values: { transport: 'rtmp' as Transport, name: '' },
    inputOf: ({ transport, name }) => ({ project_id: projectId, transport, name: name.trim() }),
    onSuccess: onClose,
  })
  return (
    <Dialog title={t('pull.create')} onClose={onClose}>
      <DialogForm
        problem={form.problem && t('pull.notCreated', { why: why(form.problem) })}
        cancel={t('cancel')}
        submit={t('pull.create')}
        isBusy={form.isBusy}
        onSubmit={form.submit}
        onClose={onClose}
      >
        <Choice
          label={t('pull.transport')}
          choices={choices.map((value) => ({ value, label: value.toUpperCase() }))}
          {...form.field('transport')}
        />
        <p className={styles.hint}>{t(`pull.about.${form.values.transport}`)}</p>
        {transports
          .filter((one) => !choices.includes(one))
          .map((one) => (
            <p key={one} className={styles.hint}>
              {t(`pull.missing.${one}`)}
            </p>
          ))}
        <TextField label={t('pull.name')} hint={t('pull.nameHint')} limit={pullNameMax} {...form.field('name')} />
      </DialogForm>
    </Dialog>
  )
}

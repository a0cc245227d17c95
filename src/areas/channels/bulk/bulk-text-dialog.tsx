import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { channels } from '#contract/areas/channels/channels.ts'
import { bulkForm, settings } from '#contract/areas/channels/settings.ts'
import { q } from '#src/api/query.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogActions, DialogForm } from '#src/ui/dialog-form.tsx'
import { TextArea } from '#src/ui/text-area.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from '#src/areas/channels/channels.module.css'
import { maxOf } from '#src/areas/channels/limits.ts'
import { Refusal } from '#src/areas/channels/refusal.tsx'

interface Props {
  readonly projectId: number
  readonly channelIds: readonly number[]
  readonly onClose: () => void
}

const titleMax = maxOf(bulkForm.shape.title)
const descriptionMax = maxOf(bulkForm.shape.description)

/** Sets one title and description for many channels, then lists the channels that failed. */
export function BulkTextDialog({ projectId, channelIds, onClose }: Props) {
  const { t } = useTranslation('channels')
  const form = useWriteForm({
    op: settings.bulkUpdate,
    area: 'channels',
    values: { title: '', description: '' },
    inputOf: ({ title, description }) => ({
      project_id: projectId,
      channel_ids: [...channelIds],
      title: title.trim(),
      description,
    }),
  })
  return (
    <Dialog title={t('bulkText.title', { count: channelIds.length })} onClose={onClose}>
      {form.output ? (
        <Outcome projectId={projectId} results={form.output.results} onClose={onClose} />
      ) : (
        <DialogForm
          problem={form.problem && <Refusal projectId={projectId} error={form.problem} />}
          cancel={t('bulkText.cancel')}
          submit={t('bulkText.save', { count: channelIds.length })}
          isBusy={form.isBusy}
          isOff={form.values.title.trim() === ''}
          onSubmit={form.submit}
          onClose={onClose}
        >
          <TextField label={t('field.title')} hint={t('bulkText.needed')} limit={titleMax} {...form.field('title')} />
          <TextArea
            label={t('field.description')}
            hint={t('bulkText.hint')}
            limit={descriptionMax}
            {...form.field('description')}
          />
        </DialogForm>
      )}
    </Dialog>
  )
}

interface OutcomeProps {
  readonly projectId: number
  readonly results: readonly { readonly channel_id: number; readonly outcome: string }[]
  readonly onClose: () => void
}

/** Number of updated channels, and the reason for each failure. */
function Outcome({ projectId, results, onClose }: OutcomeProps) {
  const { t } = useTranslation('channels')
  const names = useQuery(q(channels.short, { project_id: projectId }))
  const nameOf = (id: number) => names.data?.results.find((one) => one.channel_id === id)?.name ?? String(id)
  const left = results.filter(({ outcome }) => outcome !== 'updated')
  return (
    <>
      <p>{t('bulkText.updated', { count: results.length - left.length })}</p>
      {left.length > 0 && (
        <>
          <p>{t('bulkText.left', { count: left.length })}</p>
          <ul className={styles.outcomes}>
            {left.map(({ channel_id: id, outcome }) => (
              <li key={id}>
                <strong>{nameOf(id)}</strong> {t(`outcome.${outcome}`)}
              </li>
            ))}
          </ul>
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('bulkText.close')}</Button>
      </DialogActions>
    </>
  )
}

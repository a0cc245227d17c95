import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type StreamKey, streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { keyOf, useWrite } from '#src/api/query.ts'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { useIngestWords } from './use-ingest-words.ts'

/** Confirms key rotation: the old key is rejected for new connections immediately. */
export function RotateDialog({ projectId, onClose }: { readonly projectId: number; readonly onClose: () => void }) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const queries = useQueryClient()
  const rotate = useWrite(streamKeys.rotate, {
    onSuccess: ({ key }) => {
      queries.setQueryData<StreamKey>(keyOf(streamKeys.get, { project_id: projectId }), (now) => now && { ...now, key })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t('rotate.title')}
      confirm={t('rotate.confirm')}
      keep={t('rotate.keep')}
      isDanger
      isBusy={rotate.isPending}
      problem={rotate.error && t('rotate.failed', { why: why(rotate.error) })}
      onConfirm={() => rotate.mutate({ project_id: projectId })}
      onClose={onClose}
    >
      <p>{t('rotate.text')}</p>
    </ConfirmDialog>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { videos } from '#contract/areas/media/videos.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { paths } from '#src/lib/paths.ts'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { usesOf } from './uses.ts'

/** `upload`: a film that is not ready; `film`, `picture`: of the library; `recording`: a video that is one. */
type Kind = 'upload' | 'film' | 'picture' | 'recording'

interface Props {
  readonly projectId: number
  readonly file: { readonly id: number; readonly name: string; readonly kind: Kind }
  readonly onRemoved?: () => void
  readonly onClose: () => void
}

/** Asks before a file is deleted, and says what uses it. */
export function RemoveDialog({ projectId, file: { id, name, kind }, onRemoved, onClose }: Props) {
  const { t } = useTranslation('media')
  const why = useFailureText('media')
  const onSuccess = () => {
    onRemoved?.()
    onClose()
  }
  const file = useWrite(mediaFiles.remove, { onSuccess })
  const video = useWrite(videos.remove, { onSuccess })
  const streamKey = useQuery({ ...q(streamKeys.get, { project_id: projectId }), enabled: kind !== 'recording' }).data
  const uses = kind === 'recording' ? [] : usesOf(streamKey, id)
  const schedules = useQuery({
    ...q(scheduler.list, { project_id: projectId, order: 'desc', limit: 100 }),
    enabled: kind === 'film' || kind === 'upload',
  }).data
  const playing = schedules?.results.filter(({ active, video: { ids } }) => active && ids.includes(id)) ?? []
  const error = file.error ?? video.error
  const isUpload = kind === 'upload'
  return (
    <ConfirmDialog
      title={t(isUpload ? 'remove.uploadTitle' : 'remove.title', { name })}
      confirm={t(isUpload ? 'remove.uploadConfirm' : 'remove.confirm')}
      keep={t(isUpload ? 'remove.uploadKeep' : 'cancel')}
      isDanger
      isBusy={file.isPending || video.isPending}
      isOff={playing.length > 0}
      problem={error && t('remove.failed', { why: why(error) })}
      onConfirm={() =>
        kind === 'recording'
          ? video.mutate({ project_id: projectId, id })
          : file.mutate({ project_id: projectId, media_id: id })
      }
      onClose={onClose}
    >
      <p>{t(`remove.text.${kind}`)}</p>
      {uses.map((use) => (
        <p key={use}>{t(`remove.use.${use}`)}</p>
      ))}
      {playing.map((schedule) => (
        <p key={schedule.id}>
          {t('remove.scheduled', { name: schedule.name })}{' '}
          <Link to={paths.broadcasts(projectId, 'schedule')}>{t('remove.toSchedule')}</Link>
        </p>
      ))}
    </ConfirmDialog>
  )
}

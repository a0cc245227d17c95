import { IconDownload, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StreamKey } from '#contract/areas/ingest/stream-keys.ts'
import { type Video, videos } from '#contract/areas/media/videos.ts'
import { call } from '#src/api/call.ts'
import { sessionOf } from '#src/api/query-client.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { saveFrom } from '#src/lib/download.ts'
import { formatDuration } from '#src/lib/duration.ts'
import { formatBytes } from '#src/lib/format-bytes.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button, IconButton } from '#src/ui/button.tsx'
import { Row } from '#src/ui/row-list.tsx'
import styles from './media.module.css'
import { usesOf } from './uses.ts'

const FilePlayer = lazy(async () => ({ default: (await import('#src/components/file-player.tsx')).FilePlayer }))
const RemoveDialog = lazy(async () => ({ default: (await import('./remove-dialog.tsx')).RemoveDialog }))
const RenameDialog = lazy(async () => ({ default: (await import('./rename-dialog.tsx')).RenameDialog }))

interface Props {
  readonly projectId: number
  readonly video: Video
  readonly streamKey: StreamKey | undefined
  readonly mayEdit: boolean
}

/** A film that is ready, or a recording, with player, download, name and delete. */
export function VideoRow({ projectId, video, streamKey, mayEdit }: Props) {
  const { t } = useTranslation('media')
  const language = useLanguage()
  const why = useFailureText('media')
  const queries = useQueryClient()
  const [isPlaying, setPlaying] = useState(false)
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  const { id, kind, name, duration, size, width, height, previewPhotoSmall: preview, created_at: at } = video
  // Not a query: the URL contains a ticket and must not stay in a cache.
  const find = async () => {
    const found = await call(videos.download, { project_id: projectId, id }, { sessionId: sessionOf(queries) })
    return { url: new URL(found.url, apiRuntime().baseUrl || location.origin).href, name: found.name }
  }
  const fetching = useMutation({ mutationFn: find, onSuccess: ({ url, name: file }) => saveFrom(url, file) })
  const about = [
    duration > 0 && formatDuration(duration * 1000),
    formatBytes(size, language),
    width > 0 && `${width} × ${height}`,
    formatDateTime(at, language),
  ]
  const play = t(isPlaying ? 'video.close' : 'video.play', { name })
  return (
    <Row
      name={`video ${id}`}
      lead={
        <button
          type="button"
          className={styles.thumbnail}
          aria-label={play}
          title={play}
          aria-expanded={isPlaying}
          onClick={() => setPlaying(!isPlaying)}
        >
          {preview && <img src={preview} alt="" loading="lazy" />}
          <IconPlayerPlay size={20} aria-hidden />
        </button>
      }
      title={name}
      about={about.filter(Boolean).join(' · ')}
      actions={
        <>
          {kind === 'recording' && <Badge>{t('badge.recording')}</Badge>}
          {usesOf(streamKey, id).map((use) => (
            <Badge key={use} tone="accent">
              {t(`badge.${use}`)}
            </Badge>
          ))}
          <Button
            look="outline"
            isBusy={fetching.isPending}
            aria-label={t('video.downloadOne', { name })}
            onClick={() => fetching.mutate()}
          >
            <IconDownload size={18} aria-hidden />
            {t('video.download')}
          </Button>
          {mayEdit && (
            <span className={styles.icons}>
              <IconButton label={t('video.rename', { name })} onClick={() => setOpen('rename')}>
                <IconPencil size={18} aria-hidden />
              </IconButton>
              <IconButton label={t('video.remove', { name })} onClick={() => setOpen('remove')}>
                <IconTrash size={18} aria-hidden />
              </IconButton>
            </span>
          )}
        </>
      }
    >
      <Suspense>
        {isPlaying && (
          <FilePlayer
            find={find}
            label={name}
            cannot={t('video.cannot')}
            failed={(reason) => t('video.notFetched', { why: reason })}
          />
        )}
        {open === 'rename' && (
          <RenameDialog
            projectId={projectId}
            file={{ id, name, isRecording: kind === 'recording' }}
            onClose={() => setOpen(null)}
          />
        )}
        {open === 'remove' && (
          <RemoveDialog
            projectId={projectId}
            file={{ id, name, kind: kind === 'recording' ? 'recording' : 'film' }}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
      {fetching.error && (
        <p className={styles.quiet} role="alert">
          {t('video.notFetched', { why: why(fetching.error) })}
        </p>
      )}
    </Row>
  )
}

import { IconDownload } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StreamKey } from '#contract/areas/ingest/stream-keys.ts'
import { type Video, videos } from '#contract/areas/media/videos.ts'
import { call } from '#src/api/call.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { Thumbnail } from '#src/components/thumbnail.tsx'
import { useStoredFile } from '#src/components/use-stored-file.ts'
import { formatDuration } from '#src/lib/duration.ts'
import { formatBytes } from '#src/lib/format-bytes.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { FileActions } from './file-actions.tsx'
import styles from './media.module.css'
import { usesOf } from './uses.ts'

const FilePlayer = lazy(async () => ({ default: (await import('#src/components/file-player.tsx')).FilePlayer }))

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
  const [isPlaying, setPlaying] = useState(false)
  const { id, kind, name, duration, size, width, height, previewPhotoSmall: preview, created_at: at } = video
  const { find, fetching } = useStoredFile((options) => call(videos.download, { project_id: projectId, id }, options))
  const about = [
    duration > 0 && formatDuration(duration * 1000),
    formatBytes(size, language),
    width > 0 && `${width} × ${height}`,
    formatDateTime(at, language),
  ]
  return (
    <Row
      name={`video ${id}`}
      lead={
        <Thumbnail
          label={t(isPlaying ? 'video.close' : 'video.play', { name })}
          isPlaying={isPlaying}
          onClick={() => setPlaying(!isPlaying)}
        >
          {preview && <img src={preview} alt="" loading="lazy" />}
        </Thumbnail>
      }
      title={name}
      about={about.filter(Boolean).join(' · ')}
      actions={
        <>
          {kind === 'recording' && <Badge>{t('badge.recording')}</Badge>}
          <FileActions
            projectId={projectId}
            file={{ id, name, kind: kind === 'recording' ? 'recording' : 'film' }}
            uses={usesOf(streamKey, id)}
            mayEdit={mayEdit}
          >
            <Button
              look="outline"
              isBusy={fetching.isPending}
              aria-label={t('video.downloadOne', { name })}
              onClick={() => fetching.mutate()}
            >
              <IconDownload size={18} aria-hidden />
              {t('video.download')}
            </Button>
          </FileActions>
        </>
      }
    >
      {isPlaying && (
        <Suspense>
          <FilePlayer
            find={find}
            label={name}
            cannot={t('video.cannot')}
            failed={(reason) => t('video.notFetched', { why: reason })}
          />
        </Suspense>
      )}
      {fetching.error && (
        <p className={styles.quiet} role="alert">
          {t('video.notFetched', { why: why(fetching.error) })}
        </p>
      )}
    </Row>
  )
}

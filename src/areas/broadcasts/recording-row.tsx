import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Recording, recordings } from '#contract/areas/broadcasts/recordings.ts'
import { useWrite } from '#src/api/query.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Row } from '#src/ui/row-list.tsx'
import styles from './broadcasts.module.css'
import { formatBytes } from '#src/lib/format-bytes.ts'
import {
  IconAlertTriangle,
  IconCheck,
  IconDownload,
  IconLoader2,
  IconPlayerRecord,
  IconTrash,
  IconVideo,
} from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { ownNode } from '#contract/core/codes.ts'
import { call } from '#src/api/call.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { Thumbnail } from '#src/components/thumbnail.tsx'
import { useStoredFile } from '#src/components/use-stored-file.ts'
import { formatDuration } from '#src/lib/duration.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button, IconButton } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { useWhy } from './use-event-words.ts'

const FilePlayer = lazy(async () => ({ default: (await import('#src/components/file-player.tsx')).FilePlayer }))

interface RecordingRowProps {
  readonly projectId: number
  readonly recording: Recording
  readonly mayEdit: boolean
  /** The title links to the broadcast. */
  readonly isLinked?: boolean
}

const badges: Readonly<Record<Recording['state'], readonly [Tone, typeof IconVideo]>> = {
  recording: ['live', IconPlayerRecord],
  processing: ['accent', IconLoader2],
  ready: ['ok', IconCheck],
  failed: ['warn', IconAlertTriangle],
}

/** One recording: picture, start, duration, size and storage, with player, download and delete. */
export function RecordingRow({ projectId, recording, mayEdit, isLinked }: RecordingRowProps) {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'recordings' })
  const language = useLanguage()
  const whyOf = useWhy()
  const wordsOf = useFailureText()
  const [isAsking, setAsking] = useState(false)
  const [isPlaying, setPlaying] = useState(false)
  const { id, broadcast_id: broadcastId, state, reason, server, file, size, duration, created_at: at } = recording
  const input = { project_id: projectId, id }
  const { find, fetching } = useStoredFile((options) => call(recordings.download, input, options))
  const remove = useWrite(recordings.remove, { onSuccess: () => setAsking(false) })
  const when = formatDateTime(at, language)
  const type = file.split('.').at(-1)?.toUpperCase() ?? ''
  const length = duration === null ? '' : formatDuration(duration)
  const about = [
    length,
    size > 0 && formatBytes(size, language),
    server !== ownNode && t('server', { server }),
    whyOf(reason, null),
  ]
  return (
    <Row
      lead={
        state === 'ready' && type === 'MP4' ? (
          <RecordingThumbnail
            find={find}
            label={t(isPlaying ? 'close' : 'play', { when })}
            isPlaying={isPlaying}
            onClick={() => setPlaying(!isPlaying)}
          />
        ) : (
          <IconVideo size={20} aria-hidden />
        )
      }
      title={
        isLinked && broadcastId !== null ? (
          <Link to={paths.broadcast(projectId, broadcastId)}>
            <time dateTime={at}>{when}</time>
          </Link>
        ) : (
          <time dateTime={at}>{when}</time>
        )
      }
      about={about.filter(Boolean).join(' · ')}
      actions={
        <>
          <State state={state} type={type} />
          {state === 'ready' && (
            <Button
              look="outline"
              isBusy={fetching.isPending}
              aria-label={t('fetchOne', { type, when })}
              onClick={() => fetching.mutate()}
            >
              <IconDownload size={18} aria-hidden />
              {t('fetch')}
            </Button>
          )}
          {mayEdit && (state === 'ready' || state === 'failed') && (
            <IconButton label={t('remove', { when })} onClick={() => setAsking(true)}>
              <IconTrash size={18} aria-hidden />
            </IconButton>
          )}
        </>
      }
    >
      {isPlaying && (
        <Suspense>
          <FilePlayer find={find} label={when} cannot={t('cannot')} failed={(why) => t('notFetched', { why })} />
        </Suspense>
      )}
      {fetching.error && (
        <p className={styles.quiet} role="alert">
          {t('notFetched', { why: wordsOf(fetching.error) })}
        </p>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('ask')}
          confirm={t('confirm')}
          keep={t('keep')}
          isDanger
          isBusy={remove.isPending}
          problem={remove.error && t('notRemoved', { why: wordsOf(remove.error) })}
          onConfirm={() => remove.mutate(input)}
          onClose={() => setAsking(false)}
        >
          <p>{t('askText', { when, size: formatBytes(size, language) })}</p>
        </ConfirmDialog>
      )}
    </Row>
  )
}

/** File type of a finished recording, or the state of any other recording. */
function State({ state, type }: { readonly state: Recording['state']; readonly type: string }) {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'recordings' })
  const [tone, Icon] = badges[state]
  return (
    <Badge tone={tone} icon={<Icon size={14} aria-hidden />}>
      {state === 'ready' ? type : t(`state.${state}`)}
    </Badge>
  )
}

type Find = () => Promise<{ readonly url: string }>

interface ThumbnailProps {
  readonly find: Find
  readonly label: string
  readonly isPlaying: boolean
  readonly onClick: () => void
}

/** Picture of a recording that opens its player; the browser reads it from the file when the row is in view. */
function RecordingThumbnail({ find, label, isPlaying, onClick }: ThumbnailProps) {
  const button = useRef<HTMLButtonElement>(null)
  const latest = useRef(find)
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!button.current || !('IntersectionObserver' in globalThis)) return undefined
    let isGone = false
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      seen.disconnect()
      // Without a picture the icon stays; the download tells the reason.
      latest.current().then(
        (found) => isGone || setUrl(found.url),
        () => undefined,
      )
    })
    seen.observe(button.current)
    return () => {
      isGone = true
      seen.disconnect()
    }
  }, [])
  return (
    <Thumbnail ref={button} {...{ label, isPlaying, onClick }}>
      {/* A second into the file: streams often begin with a black frame. */}
      {url && <video src={`${url}#t=1`} preload="metadata" muted playsInline tabIndex={-1} aria-hidden />}
    </Thumbnail>
  )
}

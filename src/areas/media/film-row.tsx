import { IconMovie, IconPlayerPause, IconPlayerPlay, IconRefresh, IconTrash, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MediaFile } from '#contract/areas/media/files.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { FileChoice } from '#src/components/file-choice.tsx'
import { formatBytes } from '#src/lib/format-bytes.ts'
import { formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button, IconButton } from '#src/ui/button.tsx'
import { Row } from '#src/ui/row-list.tsx'
import styles from './media.module.css'
import { addUpload, continueUpload, forgetUpload, pauseUpload, type Upload } from './uploads.ts'

const RemoveDialog = lazy(async () => ({ default: (await import('./remove-dialog.tsx')).RemoveDialog }))

interface FilmProps {
  readonly projectId: number
  /** A film that is not ready. */
  readonly film: MediaFile
  /** Its upload in this tab. */
  readonly upload: Upload | undefined
  readonly mayEdit: boolean
}

/** A film on its way: upload, preparation, or the reason why there is none. */
export function FilmRow({ projectId, film, upload, mayEdit }: FilmProps) {
  const { t } = useTranslation('media')
  const [isAsking, setAsking] = useState(false)
  const { media_id: id, name, status, step, done = 0, error } = film
  const isProcessing = status === 'processing'
  return (
    <Row
      lead={<IconMovie size={20} aria-hidden />}
      title={name || t('unnamed')}
      name={`film ${id}`}
      about={
        upload ? (
          <UploadAbout upload={upload} />
        ) : isProcessing ? (
          <StepAbout film={film} />
        ) : (
          t(error ? `error.${error}` : 'cancelled')
        )
      }
      actions={
        mayEdit && (
          <>
            {upload && <UploadActions upload={upload} />}
            {!upload && step === 'uploading' && <SameFile projectId={projectId} film={film} />}
            {status === 'error' && <Badge tone="warn">{t('badge.failed')}</Badge>}
            <IconButton
              label={t(isProcessing ? 'upload.cancelOne' : 'video.remove', { name })}
              onClick={() => setAsking(true)}
            >
              {isProcessing ? <IconX size={18} aria-hidden /> : <IconTrash size={18} aria-hidden />}
            </IconButton>
          </>
        )
      }
    >
      {upload ? (
        <Progress label={name} value={(upload.sent / Math.max(upload.size, 1)) * 100} />
      ) : (
        isProcessing && step !== 'waiting' && <Progress label={name} value={done} />
      )}
      {isAsking && (
        <Suspense>
          <RemoveDialog
            projectId={projectId}
            file={{ id, name, kind: isProcessing ? 'upload' : 'film' }}
            onRemoved={() => upload && forgetUpload(upload.key)}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </Row>
  )
}

interface UploadProps {
  readonly projectId: number
  readonly upload: Upload
}

/** An upload that the list of files does not have: it waits for its turn, or the service refused it. */
export function UploadRow({ projectId, upload }: UploadProps) {
  const { t } = useTranslation('media')
  const { key, mediaId, name } = upload
  const [isAsking, setAsking] = useState(false)
  return (
    <Row
      lead={<IconMovie size={20} aria-hidden />}
      title={name}
      about={<UploadAbout upload={upload} />}
      actions={
        <>
          <UploadActions upload={upload} />
          <IconButton
            label={t('upload.cancelOne', { name })}
            onClick={() => (mediaId === null ? forgetUpload(key) : setAsking(true))}
          >
            <IconX size={18} aria-hidden />
          </IconButton>
        </>
      }
    >
      {isAsking && mediaId !== null && (
        <Suspense>
          <RemoveDialog
            projectId={projectId}
            file={{ id: mediaId, name, kind: 'upload' }}
            onRemoved={() => forgetUpload(key)}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </Row>
  )
}

/** State of an upload in words. */
function UploadAbout({ upload }: { readonly upload: Upload }): ReactNode {
  const { t } = useTranslation('media')
  const language = useLanguage()
  const why = useFailureText('media')
  const { state, sent, size, problem } = upload
  const percent = formatPercent(Math.floor((sent / Math.max(size, 1)) * 100), language)
  if (state === 'failed') return t('upload.failed', { why: why(problem) })
  return t(`upload.state.${state}`, { percent, sent: formatBytes(sent, language), size: formatBytes(size, language) })
}

/** Step of a film that is not uploaded from this tab. */
function StepAbout({ film: { step = 'waiting', done = 0 } }: Pick<FilmProps, 'film'>): ReactNode {
  const { t } = useTranslation('media')
  const language = useLanguage()
  return t(`step.${step}`, { percent: formatPercent(done, language) })
}

function UploadActions({ upload: { key, state, name } }: { readonly upload: Upload }) {
  const { t } = useTranslation('media')
  if (state === 'sending' || state === 'waiting')
    return (
      <Button look="outline" aria-label={t('upload.pauseOne', { name })} onClick={() => pauseUpload(key)}>
        <IconPlayerPause size={18} aria-hidden />
        {t('upload.pause')}
      </Button>
    )
  if (state === 'queued') return null
  return (
    <Button look="outline" aria-label={t('upload.continueOne', { name })} onClick={() => continueUpload(key)}>
      {state === 'failed' ? <IconRefresh size={18} aria-hidden /> : <IconPlayerPlay size={18} aria-hidden />}
      {t(state === 'failed' ? 'upload.again' : 'upload.continue')}
    </Button>
  )
}

/** Continues an interrupted upload: a browser forgets files when a page closes, so the user chooses it again. */
function SameFile({ projectId, film }: Pick<FilmProps, 'projectId' | 'film'>) {
  const { t } = useTranslation('media')
  const language = useLanguage()
  const queries = useQueryClient()
  const [isOther, setOther] = useState(false)
  const { media_id: mediaId, size, name } = film
  const choose = (file: File) => {
    setOther(file.size !== size)
    if (file.size === size) addUpload({ projectId, file, mediaId, queries })
  }
  return (
    <>
      {isOther && (
        <span role="alert" className={styles.hint}>
          {t('upload.other', { size: formatBytes(size, language) })}
        </span>
      )}
      <FileChoice onChoice={([file]) => file && choose(file)}>
        {t('upload.chooseSame')}
        <span className="visually-hidden">: {name}</span>
      </FileChoice>
    </>
  )
}

/** @param value percent */
function Progress({ label, value }: { readonly label: string; readonly value: number }) {
  return <progress className={styles.progress} max={100} value={value} aria-label={label} />
}

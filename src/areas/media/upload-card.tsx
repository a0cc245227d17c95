import { IconUpload } from '@tabler/icons-react'
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type MediaFile, mediaFiles } from '#contract/areas/media/files.ts'
import { mediaLimits } from '#contract/entities/media.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { FileChoice } from '#src/components/file-choice.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { pictureProblem } from '#src/components/picture-check.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { FilmRow, UploadRow } from './film-row.tsx'
import styles from './media.module.css'
import { addUpload, nameOf, useUploads } from './uploads.ts'

interface Props {
  readonly projectId: number
  readonly files: UseQueryResult<{ readonly results: readonly MediaFile[] }>
  readonly mayEdit: boolean
}

/** Uploads by button and drop, and the films that are not ready. */
export function UploadCard({ projectId, files, mayEdit }: Props) {
  const { t } = useTranslation('media')
  const uploads = useUploads().filter((one) => one.projectId === projectId)
  const uploadOf = (id: number) => uploads.find(({ mediaId }) => mediaId === id)
  return (
    <Card title={t('upload.title')} note={t('upload.note')}>
      {mayEdit ? <DropZone projectId={projectId} files={files.data?.results ?? []} /> : <p>{t('upload.noRight')}</p>}
      <QueryPart query={files} failed={t('failed')} skeleton={null}>
        {({ results }) => {
          const films = results.filter(({ kind, status }) => kind === 'film' && status !== 'success')
          const alone = uploads.filter(({ mediaId }) => !films.some(({ media_id: id }) => id === mediaId))
          return (
            films.length + alone.length > 0 && (
              <RowList label={t('upload.list')}>
                {alone.map((upload) => (
                  <UploadRow key={`upload ${upload.key}`} projectId={projectId} upload={upload} />
                ))}
                {films.map((film) => (
                  <FilmRow key={film.media_id} {...{ projectId, film, mayEdit }} upload={uploadOf(film.media_id)} />
                ))}
              </RowList>
            )
          )
        }}
      </QueryPart>
      <HelpLinkLater article="stream/media" />
    </Card>
  )
}

interface DropZoneProps {
  readonly projectId: number
  readonly files: readonly MediaFile[]
}

function DropZone({ projectId, files }: DropZoneProps) {
  const { t } = useTranslation('media')
  const why = useFailureText('media')
  const id = useId()
  const queries = useQueryClient()
  const picture = useWrite(mediaFiles.upload)
  const [isOver, setOver] = useState(false)
  const [problem, setProblem] = useState('')

  /** The film that a file continues: its upload was interrupted. */
  const continuedBy = (file: File) =>
    files.find(({ step, size, name }) => step === 'uploading' && size === file.size && isNameOf(name, file))

  async function add(file: File): Promise<void> {
    if (!file.type.startsWith('image/'))
      return addUpload({ projectId, file, mediaId: continuedBy(file)?.media_id ?? null, queries })
    const found = await pictureProblem(file, mediaLimits.bytes)
    if (found) return setProblem(t(`upload.${found}`, { name: file.name }))
    await picture.mutateAsync({ project_id: projectId, name: nameOf(file), file }).catch(() => undefined)
  }

  async function addAll(chosen: readonly File[]): Promise<void> {
    setProblem('')
    picture.reset()
    for (const file of chosen) await add(file)
  }

  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void addAll(Array.from(event.dataTransfer.files))
  }
  return (
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={handleDrop}
    >
      <IconUpload size={26} aria-hidden />
      <p>{t('upload.drop')}</p>
      <FileChoice
        accept="video/*,.mkv,.flv,.ts,image/jpeg,image/png"
        isMultiple
        isBusy={picture.isPending}
        describedBy={id}
        onChoice={(chosen) => void addAll(chosen)}
      >
        {t(picture.isPending ? 'upload.adding' : 'upload.choose')}
      </FileChoice>
      <p id={id} className={styles.hint}>
        {t('upload.rule')}
      </p>
      <Note tone="warn">{problem || (picture.error && t('notSaved', { why: why(picture.error) }))}</Note>
    </div>
  )
}

/** Films have the name of their file without its extension. */
const isNameOf = (name: string, file: File): boolean => file.name === name || file.name.startsWith(`${name}.`)

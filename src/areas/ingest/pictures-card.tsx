import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type MediaFile, mediaFiles } from '#contract/areas/media/files.ts'
import { mediaLimits, type MediaUse } from '#contract/entities/media.ts'
import { type StreamKey, streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { keyOf, q, useWrite } from '#src/api/query.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { type PictureProblem, pictureProblem } from '#src/components/picture-check.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatBytes } from '#src/lib/format-bytes.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { IconButton } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './ingest.module.css'
import { useIngestWords } from './use-ingest-words.ts'

interface Props {
  readonly projectId: number
  readonly streamKey: StreamKey
}

/** Pictures that channels receive in the place of the encoder: while it is lost, and in a pause. */
export function PicturesCard({ projectId, streamKey }: Props) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const files = useQuery(q(mediaFiles.list, { project_id: projectId }))
  const queries = useQueryClient()
  const choose = useWrite(mediaFiles.set, {
    onSuccess: (_, { media_id: id, type }) =>
      // The old choice would be shown again until fresh data arrives.
      queries.setQueryData(keyOf(streamKeys.get, { project_id: projectId }), {
        ...streamKey,
        [`${type}_media_service_file_id`]: id === 0 ? null : id,
      }),
  })
  const [asked, setAsked] = useState<MediaFile | null>(null)
  const mayEdit = !streamKey.masked
  const savedOf = (use: MediaUse) =>
    use === 'lost' ? streamKey.lost_media_service_file_id : streamKey.pause_media_service_file_id
  // Shows the requested value while the request is pending.
  const chosenOf = (use: MediaUse) =>
    String((choose.isPending && choose.variables.type === use ? choose.variables.media_id : savedOf(use)) ?? 0)
  return (
    <Card title={t('pictures.title')} note={t('pictures.note')}>
      <QueryPart query={files} failed={t('pictures.failed')} skeleton={<Skeleton height={150} />}>
        {({ results }) => (
          <>
            {(['lost', 'pause'] as const).map((use) => (
              <div key={use} className={styles.setting}>
                <SelectField
                  label={t(`pictures.${use}`)}
                  hint={t(`pictures.${use}Hint`)}
                  value={chosenOf(use)}
                  choices={[
                    { value: '0', label: t(`pictures.${use}None`) },
                    ...results.map(({ media_id: id, name }) => ({ value: String(id), label: name })),
                  ]}
                  disabled={!mayEdit}
                  onChange={(value) => choose.mutate({ project_id: projectId, media_id: Number(value), type: use })}
                />
              </div>
            ))}
            {results.length > 0 && (
              <RowList label={t('pictures.list')}>
                {results.map((file) => (
                  <PictureRow key={file.media_id} file={file} onRemove={mayEdit ? () => setAsked(file) : null} />
                ))}
              </RowList>
            )}
          </>
        )}
      </QueryPart>
      <Note tone="live">{choose.error && t('pictures.notSaved', { why: why(choose.error) })}</Note>
      {mayEdit && <UploadField projectId={projectId} />}
      <HelpLinkLater article="stream/pictures" />
      {asked && <RemoveDialog projectId={projectId} file={asked} onClose={() => setAsked(null)} />}
    </Card>
  )
}

interface RowProps {
  readonly file: MediaFile
  /** Null: the user may not delete it. */
  readonly onRemove: (() => void) | null
}

function PictureRow({ file: { name, size, thumbnail }, onRemove }: RowProps) {
  const { t } = useTranslation('ingest')
  const language = useLanguage()
  return (
    <Row
      lead={<img className={styles.thumb} src={thumbnail} alt="" width={96} height={54} loading="lazy" />}
      title={name}
      about={formatBytes(size, language)}
      actions={
        onRemove && (
          <IconButton label={t('pictures.deleteOne', { name })} onClick={onRemove}>
            <IconTrash size={18} aria-hidden />
          </IconButton>
        )
      }
    />
  )
}

/** Uploads a picture as soon as it is chosen. */
function UploadField({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const id = useId()
  const [problem, setProblem] = useState<PictureProblem | null>(null)
  const upload = useWrite(mediaFiles.upload)
  const handleChoice = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0]
    // Lets the user select the same file again after an error.
    input.value = ''
    if (!file) return
    const found = await pictureProblem(file, mediaLimits.bytes)
    setProblem(found)
    upload.reset()
    const name = file.name.replace(/\.[^.]*$/, '').slice(0, mediaLimits.name) || file.name
    if (!found) upload.mutate({ project_id: projectId, name, file })
  }
  const refused = upload.error && t('pictures.notSaved', { why: why(upload.error) })
  const bad = problem ? t(`pictures.${problem}`) : refused
  return (
    <div className={styles.upload}>
      <label className={styles.choose} aria-busy={upload.isPending}>
        {t(upload.isPending ? 'pictures.adding' : 'pictures.add')}
        <input
          type="file"
          accept="image/jpeg,image/png"
          className="visually-hidden"
          aria-describedby={id}
          disabled={upload.isPending}
          onChange={(event) => void handleChoice(event)}
        />
      </label>
      <output id={id} className={styles.hint} data-bad={Boolean(bad) || undefined}>
        {bad || t('pictures.rule')}
      </output>
    </div>
  )
}

interface RemoveProps {
  readonly projectId: number
  readonly file: MediaFile
  readonly onClose: () => void
}

function RemoveDialog({ projectId, file: { media_id, name }, onClose }: RemoveProps) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const remove = useWrite(mediaFiles.remove, { onSuccess: onClose })
  return (
    <ConfirmDialog
      title={t('pictures.deleteTitle', { name })}
      confirm={t('pictures.delete')}
      keep={t('rotate.keep')}
      isDanger
      isBusy={remove.isPending}
      problem={remove.error && t('pictures.notDeleted', { why: why(remove.error) })}
      onConfirm={() => remove.mutate({ project_id: projectId, media_id })}
      onClose={onClose}
    >
      <p>{t('pictures.deleteText')}</p>
    </ConfirmDialog>
  )
}

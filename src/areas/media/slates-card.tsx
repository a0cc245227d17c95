import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { type MediaFile, mediaFiles } from '#contract/areas/media/files.ts'
import type { MediaUse } from '#contract/entities/media.ts'
import { keyOf, q, useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatBytes } from '#src/lib/format-bytes.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { FileActions } from './file-actions.tsx'
import styles from './media.module.css'
import { chosenFor, usesOf } from './uses.ts'

interface Props {
  readonly projectId: number
  readonly files: UseQueryResult<{ readonly results: readonly MediaFile[] }>
  readonly mayEdit: boolean
}

/** Pictures and films that channels receive in the place of the encoder: while it is lost, and in a pause. */
export function SlatesCard({ projectId, files, mayEdit }: Props) {
  const { t } = useTranslation('media')
  const why = useFailureText('media')
  const queries = useQueryClient()
  const key = useQuery(q(streamKeys.get, { project_id: projectId }))
  const choose = useWrite(mediaFiles.set, {
    onSuccess: (_, { media_id: id, type }) =>
      // The old choice would be shown again until fresh data arrives.
      queries.setQueryData(
        keyOf(streamKeys.get, { project_id: projectId }),
        key.data && { ...key.data, [`${type}_media_service_file_id`]: id === 0 ? null : id },
      ),
  })
  // Shows the requested value while the request is pending.
  const valueOf = (use: MediaUse) =>
    String(
      (choose.isPending && choose.variables.type === use ? choose.variables.media_id : chosenFor(key.data, use)) ?? 0,
    )
  return (
    <Card title={t('slates.title')} note={t('slates.note')}>
      <QueryPart query={files} failed={t('failed')} skeleton={<Skeleton height={180} />}>
        {({ results }) => {
          const pictures = results.filter(({ kind }) => kind === 'picture')
          const choices = results
            .filter(({ media_id: id, isDisabled }) => !isDisabled || usesOf(key.data, id).length > 0)
            .map(({ media_id: id, name }) => ({ value: String(id), label: name }))
          return (
            <>
              {(['lost', 'pause'] as const).map((use) => (
                <div key={use} className={styles.setting}>
                  <SelectField
                    label={t(`slates.${use}`)}
                    hint={t(`slates.${use}Hint`)}
                    value={valueOf(use)}
                    choices={[{ value: '0', label: t(`slates.${use}None`) }, ...choices]}
                    disabled={!mayEdit || !key.data}
                    onChange={(value) => choose.mutate({ project_id: projectId, media_id: Number(value), type: use })}
                  />
                  <NoRoom file={results.find(({ media_id: id }) => String(id) === valueOf(use))} />
                </div>
              ))}
              {pictures.length > 0 && (
                <RowList label={t('slates.pictures')}>
                  {pictures.map((file) => (
                    <PictureRow
                      key={file.media_id}
                      {...{ projectId, file, mayEdit }}
                      uses={usesOf(key.data, file.media_id)}
                    />
                  ))}
                </RowList>
              )}
            </>
          )
        }}
      </QueryPart>
      <Note tone="live">{choose.error && t('notSaved', { why: why(choose.error) })}</Note>
      <HelpLinkLater article="stream/pictures" />
    </Card>
  )
}

/** Says that servers have no room for the chosen film. */
function NoRoom({ file }: { readonly file: MediaFile | undefined }) {
  const { t } = useTranslation('media')
  const language = useLanguage()
  const { servers, name, size = 0 } = file ?? {}
  return (
    <Note tone="warn">{servers && t(`slates.noRoom.${servers}`, { name, size: formatBytes(size, language) })}</Note>
  )
}

interface RowProps {
  readonly projectId: number
  readonly file: MediaFile
  readonly uses: readonly MediaUse[]
  readonly mayEdit: boolean
}

function PictureRow({ projectId, file: { media_id: id, name, size, thumbnail }, uses, mayEdit }: RowProps) {
  const language = useLanguage()
  return (
    <Row
      name={`picture ${id}`}
      lead={<img className={styles.picture} src={thumbnail} alt="" width={96} height={54} loading="lazy" />}
      title={name}
      about={formatBytes(size, language)}
      actions={<FileActions projectId={projectId} file={{ id, name, kind: 'picture' }} {...{ uses, mayEdit }} />}
    />
  )
}

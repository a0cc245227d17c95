import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type MediaFile, mediaFiles } from '#contract/areas/media/files.ts'
import { scheduleLimits } from '#contract/entities/schedule.ts'
import { q } from '#src/api/query.ts'
import type { FieldBinding } from '#src/components/form/use-form.ts'
import { formatBytes } from '#src/lib/format-bytes.ts'
import { formatDuration } from '#src/lib/duration.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { paths } from '#src/lib/paths.ts'
import { IconButton } from '#src/ui/button.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './schedule.module.css'

const ComboField = lazy(async () => ({ default: (await import('#src/ui/combo-field.tsx')).ComboField }))

interface Props extends FieldBinding<readonly number[]> {
  readonly projectId: number
}

/** The videos of a schedule in their order, and a field that adds one. */
export function ScheduleVideos({ projectId, ...field }: Props) {
  const list = useQuery(q(mediaFiles.list, { project_id: projectId })).data?.results
  return list ? <Videos projectId={projectId} list={list} {...field} /> : <Skeleton height={90} />
}

function Videos({ projectId, list, value: ids, error, onChange }: Props & { readonly list: readonly MediaFile[] }) {
  const { t } = useTranslation('schedule', { keyPrefix: 'form' })
  const films = list.filter(({ kind, status }) => kind === 'film' && (status === 'success' || status === 'processing'))
  const [added, setAdded] = useState(0)
  const add = (value: string | null) => {
    if (value === null) return
    onChange([...ids, Number(value)])
    setAdded(added + 1)
  }
  const move = (from: number, by: number) => {
    const next = ids.toSpliced(from, 1)
    onChange(next.toSpliced(from + by, 0, ids[from] ?? 0))
  }
  if (films.length === 0 && ids.length === 0)
    return (
      <p>
        {t('noVideos')} <Link to={paths.media(projectId)}>{t('toMedia')}</Link>
      </p>
    )
  return (
    <fieldset className={styles.videos}>
      <legend className={ids.length === 0 ? 'visually-hidden' : undefined}>{t('videos')}</legend>
      {ids.length > 0 && (
        <ol>
          {ids.map((id, at) => (
            <VideoItem
              // A video may stand in the list several times.
              key={`${id} ${ids.slice(0, at).filter((one) => one === id).length}`}
              film={list.find(({ media_id }) => media_id === id)}
              isFirst={at === 0}
              isLast={at === ids.length - 1}
              onMove={(by) => move(at, by)}
              onRemove={() => onChange(ids.toSpliced(at, 1))}
            />
          ))}
        </ol>
      )}
      {ids.length < scheduleLimits.items && (
        <Suspense fallback={<Skeleton height={62} />}>
          <ComboField
            // Empty again after each choice.
            key={added}
            label={t('addVideo')}
            error={error}
            value={null}
            choices={films.map(({ media_id: id, name, duration }) => ({
              value: String(id),
              label: duration > 0 ? `${name} (${formatDuration(duration * 1000)})` : name,
            }))}
            nothing={t('noVideo')}
            clearLabel={t('clear')}
            isFocused={added > 0}
            onChange={add}
          />
        </Suspense>
      )}
    </fieldset>
  )
}

interface ItemProps {
  /** Undefined when it is gone. */
  readonly film: MediaFile | undefined
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (by: number) => void
  readonly onRemove: () => void
}

function VideoItem({ film, isFirst, isLast, onMove, onRemove }: ItemProps) {
  const { t } = useTranslation('schedule', { keyPrefix: 'form' })
  const language = useLanguage()
  const { name = t('unknown'), duration = 0, size = 0, status, servers } = film ?? {}
  return (
    <li>
      <span>
        {name}
        <span className={styles.hint}>
          {duration > 0 && ` · ${formatDuration(duration * 1000)}`}
          {status === 'processing' && ` · ${t('processing')}`}
        </span>
        {servers && (
          <span className={styles.warning}>{t(`noRoom.${servers}`, { size: formatBytes(size, language) })}</span>
        )}
      </span>
      <span className={styles.icons}>
        <IconButton
          label={t('up', { name })}
          aria-disabled={isFirst || undefined}
          onClick={() => isFirst || onMove(-1)}
        >
          <IconArrowUp size={18} aria-hidden />
        </IconButton>
        <IconButton label={t('down', { name })} aria-disabled={isLast || undefined} onClick={() => isLast || onMove(1)}>
          <IconArrowDown size={18} aria-hidden />
        </IconButton>
        <IconButton label={t('takeOut', { name })} onClick={onRemove}>
          <IconX size={18} aria-hidden />
        </IconButton>
      </span>
    </li>
  )
}

import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { platformNamed } from '#src/components/use-platform.ts'
import { formatDuration } from '#src/lib/duration.ts'
import { formatDateTime, formatNumber } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Checkbox } from '#src/ui/checkbox.tsx'
import styles from './analytics.module.css'
import { lengthOf, type Row } from './figures.ts'
import { formatMetric } from './format-metric.ts'

interface Props {
  readonly projectId: number
  readonly rows: readonly Row[]
  readonly chosen: readonly number[]
  readonly now: number
  readonly onToggle: (id: number) => void
}

const heads = ['compare', 'began', 'length', 'bitrate', 'viewers', 'channels', 'reconnects', 'troubles'] as const

/** Broadcasts with their figures, newest first. */
export function FiguresTable({ projectId, rows, chosen, now, onToggle }: Props) {
  const { t } = useTranslation('analytics', { keyPrefix: 'figures' })
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable region
    <div className={`edge-hint ${styles.scroll}`} role="group" aria-label={t('title')} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {heads.map((name) => (
              <th key={name} scope="col">
                {t(`head.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <FiguresRow
              key={row.id}
              projectId={projectId}
              row={row}
              now={now}
              isChosen={chosen.includes(row.id)}
              onToggle={onToggle}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps extends Pick<Props, 'projectId' | 'now' | 'onToggle'> {
  readonly row: Row
  readonly isChosen: boolean
}

function FiguresRow({ projectId, row, now, isChosen, onToggle }: RowProps) {
  const { t } = useTranslation('analytics', { keyPrefix: 'figures' })
  const language = useLanguage()
  const { id, created_at, finish_at, bitrate, viewers, reconnects, warnings, errors, channels, platforms } = row
  const began = formatDateTime(created_at, language)
  const troubles = warnings + errors
  return (
    <tr>
      <td>
        <label className={styles.choose}>
          <Checkbox aria-label={t('toggle', { began })} checked={isChosen} onChange={() => onToggle(id)} />
        </label>
      </td>
      <th scope="row">
        <Link to={paths.broadcast(projectId, id)}>{began}</Link>{' '}
        {finish_at === null && <Badge tone="live">{t('onAir')}</Badge>}
      </th>
      <td>{formatDuration(lengthOf(row, now))}</td>
      <td>
        {bitrate ? formatMetric(bitrate.avg, 'bitrate', language) : '–'}
        {bitrate && (
          <span className={styles.quiet}>
            {' '}
            {t('from', {
              min: formatNumber(bitrate.min, language),
              max: formatNumber(bitrate.max, language),
            })}
          </span>
        )}
      </td>
      <td>
        {viewers ? formatNumber(viewers.max, language) : '–'}
        {viewers && <span className={styles.quiet}> {t('mean', { value: formatNumber(viewers.avg, language) })}</span>}
      </td>
      <td>
        <span className={styles.icons}>
          {formatNumber(channels, language)}
          {platforms.slice(0, 5).map((type) => (
            <PlatformIcon key={type} type={platformNamed(type).type} size={20} />
          ))}
        </span>
      </td>
      <td>{formatNumber(reconnects, language)}</td>
      <td>{troubles > 0 ? <Badge tone="warn">{formatNumber(troubles, language)}</Badge> : '–'}</td>
    </tr>
  )
}

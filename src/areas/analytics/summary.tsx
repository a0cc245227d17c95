import { useTranslation } from 'react-i18next'
import { formatBitrate, formatNumber } from '#src/lib/format.ts'
import { formatDuration } from '#src/lib/duration.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './analytics.module.css'
import { type Row, sumUp } from './figures.ts'

interface Props {
  readonly rows: readonly Row[]
  readonly total: number
  readonly now: number
}

/** Four totals of the period. */
export function Summary({ rows, total, now }: Props) {
  const { t } = useTranslation('analytics')
  const language = useLanguage()
  const { ms, kbps, viewers, troubles } = sumUp(rows, now)
  const figures = [
    ['broadcasts', formatNumber(total, language)],
    ['onAir', formatDuration(ms)],
    ['bitrate', kbps === null ? '–' : formatBitrate(kbps, language)],
    ['viewers', viewers === null ? '–' : formatNumber(viewers, language)],
    ['troubles', formatNumber(troubles, language)],
  ] as const
  return (
    <dl className={styles.summary}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{t(`summary.${name}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

import { useTranslation } from 'react-i18next'
import { useNow } from '#src/lib/use-now.ts'
import { periodProgress } from './period-progress.ts'
import styles from './slots.module.css'

interface Props {
  readonly start: string | null | undefined
  readonly end: string | null | undefined
  /** What follows, in words; nothing where the period has no end. */
  readonly then: string
}

/** How much of the running period is used, how many days are left, and what comes after it. Amber in its last week. */
export function PeriodBar({ start, end, then }: Props) {
  const { t } = useTranslation('tariffs')
  const progress = periodProgress(start, end, useNow())
  if (!progress) return null
  const { share, isOver, isEnding, daysLeft } = progress
  const left = isOver ? t('period.over') : daysLeft === 0 ? t('period.lastDay') : t('period.left', { count: daysLeft })
  const percent = share === null ? null : Math.round(share * 100)
  return (
    <div className={styles.period} data-ending={isEnding || undefined} data-over={isOver || undefined}>
      {percent !== null && (
        <progress
          className={styles.track}
          aria-label={t('period.label')}
          aria-valuetext={left}
          max={100}
          value={percent}
        />
      )}
      <p className={styles.periodText}>
        <strong>{left}</strong>
        {isEnding && <span className={styles.soon}>⚠ {t('period.soon')}</span>}
        <span className={styles.then}>{then}</span>
      </p>
    </div>
  )
}

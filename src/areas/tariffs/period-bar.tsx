import { useTranslation } from 'react-i18next'
import { useNow } from '#src/lib/use-now.ts'
import { type PeriodProgress, periodProgress } from './period-progress.ts'
import styles from './slots.module.css'

interface Props {
  readonly start: string | null | undefined
  readonly end: string | null | undefined
  /** Text about the next plan. */
  readonly then: string
}

/** Used share of the running period, days left, and the next plan. Amber in the last week. Nothing for a period without an end. */
export function PeriodBar({ start, end, then }: Props) {
  const { t } = useTranslation('tariffs')
  const progress = periodProgress(start, end, useNow())
  if (!progress) return null
  const left = t(`period.${keyOf(progress)}`, { count: progress.daysLeft })
  return (
    <div
      className={styles.period}
      data-ending={progress.isEnding || undefined}
      data-over={progress.isOver || undefined}
    >
      {progress.share !== null ? (
        <progress
          className={styles.track}
          aria-label={t('period.label')}
          aria-valuetext={left}
          max={100}
          value={Math.round(progress.share * 100)}
        />
      ) : (
        <div className={styles.track} data-unknown />
      )}
      <p className={styles.periodText}>
        <strong>{left}</strong>
        {progress.isEnding && <span className={styles.soon}>⚠ {t('period.soon')}</span>}
        <span className={styles.then}>{then}</span>
      </p>
    </div>
  )
}

function keyOf(progress: PeriodProgress) {
  if (progress.isOver) return 'over'
  return progress.daysLeft === 0 ? 'lastDay' : 'left'
}

import { useTranslation } from 'react-i18next'
import { renewalOf } from '#src/lib/renewal.ts'
import { useNow } from '#src/lib/use-now.ts'
import { type PeriodProgress, periodProgress } from './period-progress.ts'
import styles from './slots.module.css'

interface Props {
  readonly start: string | null | undefined
  readonly end: string | null | undefined
  /** Text about the next plan. */
  readonly then: string
  /** True when the plan is renewed automatically. */
  readonly isRenewed: boolean
}

/**
 * Used share of the running period, days left, and the next plan. Amber in the last week, unless a renewal is
 * expected. Nothing for a period without an end.
 */
export function PeriodBar({ start, end, then, isRenewed }: Props) {
  const { t } = useTranslation('tariffs')
  const now = useNow()
  const progress = periodProgress(start, end, now)
  if (!progress || !end) return null
  const isEnding = progress.isEnding && renewalOf({ isOn: isRenewed, end }, now) !== 'expected'
  const left = t(`period.${keyOf(progress)}`, { count: progress.daysLeft })
  return (
    <div className={styles.period} data-ending={isEnding || undefined} data-over={progress.isOver || undefined}>
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
        {isEnding && <span className={styles.soon}>⚠ {t('period.soon')}</span>}
        <span className={styles.then}>{then}</span>
      </p>
    </div>
  )
}

function keyOf(progress: PeriodProgress) {
  if (progress.isOver) return 'over'
  return progress.daysLeft === 0 ? 'lastDay' : 'left'
}

import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Chart } from '#src/components/chart.tsx'
import { localeOf } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import type { Metric } from './analytics-view.ts'
import styles from './analytics.module.css'
import type { Row } from './figures.ts'
import { formatMetric } from './format-metric.ts'

interface Props {
  readonly rows: readonly Row[]
  readonly metric: Metric
}

/** Chart with a point for each broadcast: average and peak. */
export function OverTime({ rows, metric }: Props) {
  const { t } = useTranslation('analytics', { keyPrefix: 'overTime' })
  const language = useLanguage()
  const [mean, peak] = [t('mean'), t('peak')]
  const days = useMemo(() => {
    const by = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(localeOf[language], options)
    const [date, time] = [by({ day: 'numeric', month: 'short' }), by({ timeStyle: 'short' })]
    // Broadcasts lie days apart: label a tick at midnight with its date.
    const tick = (at: number) => (new Date(at * 1000).getHours() === 0 ? date : time).format(at * 1000)
    const moment = by({ dateStyle: 'medium', timeStyle: 'short' })
    return { tick, moment: (at: number) => moment.format(at * 1000) }
  }, [language])
  const series = useMemo(() => {
    const measured = rows.flatMap((row) => {
      const span = row[metric]
      return span ? [{ at: Math.floor(Date.parse(row.created_at) / 1000), ...span }] : []
    })
    const points = measured.toSorted((a, b) => a.at - b.at)
    const format = (value: number) => formatMetric(value, metric, language)
    return [
      { name: mean, format, points: points.map(({ at, avg }) => ({ at, value: avg })) },
      { name: peak, format, points: points.map(({ at, max }) => ({ at, value: max })) },
    ]
  }, [rows, metric, language, mean, peak])
  const count = series[0]?.points.length ?? 0
  if (count < 2) return <p className={styles.quiet}>{t(count === 0 ? `none.${metric}` : 'one')}</p>
  return <Chart label={t(metric)} series={series} words={days} />
}

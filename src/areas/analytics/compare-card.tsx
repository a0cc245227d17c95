import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { analytics } from '#contract/areas/analytics/analytics.ts'
import type { Graph } from '#contract/entities/broadcast.ts'
import { q } from '#src/api/query.ts'
import { Chart } from '#src/components/chart.tsx'
import { Failure } from '#src/components/failure.tsx'
import { formatDuration } from '#src/lib/duration.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { withGaps } from '#src/ui/chart/points.ts'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import type { View } from './analytics-view.ts'
import styles from './analytics.module.css'
import { comparedOf, type Row } from './figures.ts'
import { formatMetric } from './format-metric.ts'

interface Props {
  readonly projectId: number
  readonly rows: readonly Row[]
  readonly view: View
}

/** Time since the start of the broadcast, the axis for broadcasts of different days. */
const sinceBeginning = {
  tick: (seconds: number) => formatDuration(seconds * 1000),
  moment: (seconds: number) => formatDuration(seconds * 1000),
}

/** Chart of the selected broadcasts, aligned at their start. */
export function CompareCard({ projectId: project_id, rows, view }: Props) {
  const { t } = useTranslation('analytics', { keyPrefix: 'compare' })
  const chosen = comparedOf(rows, view)
  const read = view.metric === 'bitrate' ? analytics.bitrate : analytics.viewers
  const graphs = useQueries({
    queries: chosen.map(({ id: stream_id, finish_at }) => ({
      ...q(read, { project_id, stream_id }),
      refetchInterval: finish_at === null ? 30_000 : (false as const),
    })),
  })
  const failed = graphs.find(({ error }) => error)
  const data = graphs.flatMap((graph) => (graph.data ? [graph.data] : []))
  const isComplete = data.length === chosen.length
  return (
    <Card title={t('title')} note={t('note')}>
      {chosen.length === 0 && <p className={styles.quiet}>{t('choose')}</p>}
      {failed?.error && (
        <Failure
          title={t('failed')}
          error={failed.error}
          isRetrying={failed.isFetching}
          onRetry={() => graphs.forEach(({ error, refetch }) => error && void refetch())}
        />
      )}
      {chosen.length > 0 && isComplete && <Compared chosen={chosen} graphs={data} metric={view.metric} />}
      {!isComplete && !failed && <Skeleton height={260} />}
    </Card>
  )
}

interface ComparedProps {
  readonly chosen: readonly Row[]
  readonly graphs: readonly Graph[]
  readonly metric: View['metric']
}

function Compared({ chosen, graphs, metric }: ComparedProps) {
  const { t } = useTranslation('analytics', { keyPrefix: 'compare' })
  const language = useLanguage()
  const series = useMemo(
    () =>
      chosen.map(({ created_at }, index) => {
        const { data = [], labels = [], setting } = graphs[index] ?? {}
        const start = Math.floor(Date.parse(created_at) / 1000)
        const points = labels.map((at, place) => ({ at: Math.max(0, at - start), value: data[place] ?? 0 }))
        return {
          name: formatDateTime(created_at, language),
          points: withGaps(points, (setting?.step ?? 1) * 4),
          format: (value: number) => formatMetric(value, metric, language),
        }
      }),
    [chosen, graphs, metric, language],
  )
  if (series.every(({ points }) => points.length === 0)) return <p className={styles.quiet}>{t(`none.${metric}`)}</p>
  return <Chart key={series.length} label={t('title')} series={series} words={sinceBeginning} />
}

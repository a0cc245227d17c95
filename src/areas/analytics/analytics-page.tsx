import { IconChartLine } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { analytics } from '#contract/areas/analytics/analytics.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { useNow } from '#src/lib/use-now.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Page } from '#src/ui/page.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Toolbar } from '#src/ui/toolbar.tsx'
import {
  beginningOf,
  comparedMax,
  type Metric,
  metrics,
  periods,
  readView,
  type View,
  writeView,
} from './analytics-view.ts'
import { formatBitrate, formatDateTime, formatNumber, localeOf } from '#src/lib/format.ts'
import { formatDuration } from '#src/lib/duration.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './analytics.module.css'
import { cellsOf, columns, comparedOf, type Row, sumUp, toggled } from './figures.ts'
import { useMemo } from 'react'
import { Chart } from '#src/components/chart.tsx'
import { formatMetric } from './format-metric.ts'
import { toCsv } from '#contract/core/csv.ts'
import { download } from '#src/lib/download.ts'
import { writtenParams } from '#src/lib/page-params.ts'
import { FiguresTable } from './figures-table.tsx'
import type { Graph } from '#contract/entities/broadcast.ts'
import { Failure } from '#src/components/failure.tsx'
import { withGaps } from '#src/ui/chart/points.ts'

interface CompareCardProps {
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
function CompareCard({ projectId: project_id, rows, view }: CompareCardProps) {
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

/** Maximum page size of the service: more than three broadcasts a day for a month. */
const limit = 100

export const pagePath = '/p/:projectId/analytics'
export const handle = { title: 'analytics:title' }

/** Analytics: totals of a period, metrics over time, comparison of broadcasts. */
export function Component() {
  const { t } = useTranslation('analytics')
  const { projectId = '' } = useParams()
  const [params, setParams] = useSearchParams()
  const view = readView(params)
  const now = useNow(60_000)
  const change = (part: Partial<View>) =>
    setParams(writeView(readView(writtenParams()), part), { replace: true, preventScrollReset: true })
  const ask = { project_id: Number(projectId), date_from: beginningOf(view.period, new Date(now)), limit }
  const list = useQuery({ ...q(analytics.broadcasts, ask), refetchInterval: 60_000 })
  return (
    <Page title={t('title')} intro={t('intro')}>
      <Toolbar label={t('tools')}>
        <SelectField
          label={t('period')}
          value={String(view.period)}
          choices={periods.map((days) => ({ value: String(days), label: t(`days.${days}`) }))}
          onChange={(value) => change({ period: periods.find((days) => String(days) === value) ?? 30, compared: null })}
        />
        <SelectField
          label={t('metric')}
          value={view.metric}
          choices={metrics.map((name) => ({ value: name, label: t(`metrics.${name}`) }))}
          onChange={(metric) => change({ metric })}
        />
      </Toolbar>
      <QueryPart query={list} failed={t('failed')} skeleton={<Skeleton height={560} />}>
        {({ results, total }) =>
          results.length === 0 ? (
            <EmptyState
              icon={<IconChartLine size={26} />}
              title={t('empty')}
              action={
                <Link className={buttonClass('outline')} to={paths.broadcasts(projectId)}>
                  {t('allBroadcasts')}
                </Link>
              }
            >
              {t('emptyText')}
            </EmptyState>
          ) : (
            <>
              <Summary rows={results} total={total} now={now} />
              <Card title={t('overTime.title')} note={t(`overTime.${view.metric}`)}>
                <OverTime rows={results} metric={view.metric} />
              </Card>
              <CompareCard projectId={Number(projectId)} rows={results} view={view} />
              <FiguresCard
                now={now}
                projectId={Number(projectId)}
                rows={results}
                total={total}
                view={view}
                onChange={change}
              />
            </>
          )
        }
      </QueryPart>
    </Page>
  )
}

interface SummaryProps {
  readonly rows: readonly Row[]
  readonly total: number
  readonly now: number
}

/** Four totals of the period. */
function Summary({ rows, total, now }: SummaryProps) {
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

interface OverTimeProps {
  readonly rows: readonly Row[]
  readonly metric: Metric
}

/** Chart with a point for each broadcast: average and peak. */
function OverTime({ rows, metric }: OverTimeProps) {
  const { t } = useTranslation('analytics', { keyPrefix: 'overTime' })
  const language = useLanguage()
  const [mean, peak] = [t('mean'), t('peak')]
  const days = useMemo(() => {
    const by = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(localeOf[language], options)
    const [date, time] = [by({ day: 'numeric', month: 'short' }), by({ timeStyle: 'short' })]
    // Broadcasts lie days apart: label a tick at midnight with its date.
    const tick = (at: number) => (new Date(at * 1000).getHours() === 0 ? date : time).format(at * 1000)
    const moment = by({ dateStyle: 'medium', timeStyle: 'short' })
    // The name of a series says which figure it is.
    const figures = ({ min, max }: { readonly min: string; readonly max: string }) => t('range', { min, max })
    return { tick, moment: (at: number) => moment.format(at * 1000), figures }
  }, [t, language])
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

interface FiguresCardProps {
  readonly projectId: number
  readonly rows: readonly Row[]
  readonly total: number
  readonly view: View
  readonly now: number
  readonly onChange: (change: Partial<View>) => void
}

/** Table of broadcasts in the period, with a selection for the comparison and a CSV export. */
function FiguresCard({ projectId, rows, total, view, now, onChange }: FiguresCardProps) {
  const { t } = useTranslation('analytics', { keyPrefix: 'figures' })
  const chosen = comparedOf(rows, view).map(({ id }) => id)
  const save = (format: 'csv' | 'json') => {
    const name = `broadcasts-${projectId}-${view.period}-days.${format}`
    if (format === 'json') return download(name, 'application/json', `${JSON.stringify(rows, null, 2)}\n`)
    const lines = rows.map((row) => cellsOf(row, Date.now()))
    return download(name, 'text/csv;charset=utf-8', toCsv(columns, lines))
  }
  return (
    <Card title={t('title')} note={t('note', { count: comparedMax })}>
      <FiguresTable
        projectId={projectId}
        rows={rows}
        chosen={chosen}
        now={now}
        onToggle={(id) => onChange({ compared: toggled(chosen, id) })}
      />
      <div className={styles.foot} role="group" aria-label={t('export')}>
        <Button look="outline" onClick={() => save('csv')}>
          {t('csv')}
        </Button>
        <Button look="outline" onClick={() => save('json')}>
          {t('json')}
        </Button>
        {total > rows.length && <span className={styles.quiet}>{t('cut', { count: rows.length, total })}</span>}
      </div>
    </Card>
  )
}

import { IconChartLine } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { analytics } from '#contract/areas/analytics/analytics.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { useNow } from '#src/lib/use-now.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Page } from '#src/ui/page.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Toolbar } from '#src/ui/toolbar.tsx'
import { beginningOf, metrics, periods, readView, type View, writeView } from './analytics-view.ts'
import { CompareCard } from './compare-card.tsx'
import { FiguresCard } from './figures-card.tsx'
import { OverTime } from './over-time.tsx'
import { Summary } from './summary.tsx'

/** Maximum page size of the service: more than three broadcasts a day for a month. */
const limit = 100

/** Analytics: totals of a period, metrics over time, comparison of broadcasts. */
export function AnalyticsPage() {
  const { t } = useTranslation('analytics')
  const { projectId = '' } = useParams()
  const [params, setParams] = useSearchParams()
  const view = readView(params)
  const now = useNow(60_000)
  const change = (part: Partial<View>) =>
    setParams((before) => writeView(readView(before), part), { replace: true, preventScrollReset: true })
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

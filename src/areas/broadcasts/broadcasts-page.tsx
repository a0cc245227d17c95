import { IconBroadcast } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q } from '#src/api/query.ts'
import { usePolling } from '#src/realtime/store.ts'
import { PagedList } from '#src/components/paged-list.tsx'
import { TabbedPage } from '#src/components/tabbed-page.tsx'
import { useListView } from '#src/components/use-list-view.ts'
import { paths } from '#src/lib/paths.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { BroadcastLine } from './broadcast-line.tsx'
import { askOf, isNarrow, pageSize, readView, type View, writeView } from './broadcasts-view.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { DaysFilter } from '#src/components/days-filter.tsx'
import { platformNamed } from '#src/components/use-platform.ts'
import { FilterField, Toolbar } from '#src/ui/toolbar.tsx'

/** "Broadcasts": tabs for past and current broadcasts, the schedule, and recordings. */
export function BroadcastsFrame() {
  const { t } = useTranslation('broadcasts')
  const { projectId = '' } = useParams()
  const tabs = [
    { to: paths.broadcasts(projectId), text: t('title') },
    { to: paths.broadcasts(projectId, 'schedule'), text: t('schedule') },
    { to: paths.broadcasts(projectId, 'recordings'), text: t('recordings.title') },
  ]
  return <TabbedPage title={t('title')} intro={t('intro')} tabs={tabs} />
}

/** Past and current broadcasts, newest first. */
export function BroadcastsPage() {
  const { t } = useTranslation('broadcasts')
  const { projectId = '' } = useParams()
  const { view, change, reset, to } = useListView(readView, writeView)
  const { page } = view
  const ask = askOf(Number(projectId), view)
  const list = useQuery({
    ...q(broadcasts.list, ask),
    placeholderData: keepPreviousData,
    refetchInterval: usePolling(ask.project_id, 30_000),
  })
  return (
    <Card>
      <BroadcastsTools projectId={Number(projectId)} view={view} onChange={change} />
      <PagedList
        query={list}
        failed={t('list.failed')}
        height={320}
        page={page}
        size={pageSize}
        to={to}
        empty={
          isNarrow(view) ? (
            <EmptyState
              title={t('tools.nothing')}
              action={
                <Button look="outline" onClick={reset}>
                  {t('tools.reset')}
                </Button>
              }
            />
          ) : (
            <EmptyState
              icon={<IconBroadcast size={26} />}
              title={t(page > 1 ? 'list.noMore' : 'list.empty')}
              action={
                <Link
                  className={buttonClass('outline')}
                  to={page > 1 ? paths.broadcasts(projectId) : paths.ingest(projectId)}
                >
                  {t(page > 1 ? 'list.first' : 'list.setUp')}
                </Link>
              }
            >
              {page > 1 ? null : t('list.emptyText')}
            </EmptyState>
          )
        }
      >
        {(rows) => (
          <RowList label={t('title')}>
            {rows.map((row) => (
              <BroadcastLine key={row.id} projectId={projectId} row={row} />
            ))}
          </RowList>
        )}
      </PagedList>
    </Card>
  )
}

interface BroadcastsToolsProps {
  readonly projectId: number
  readonly view: View
  readonly onChange: (change: Partial<View>) => void
}

/** History filters: platform, from and to dates. */
function BroadcastsTools({ projectId, view, onChange }: BroadcastsToolsProps) {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'tools' })
  const list = useQuery(q(channels.short, { project_id: projectId }))
  // A shared link may name a platform that the project no longer uses.
  const types = new Set([...(list.data?.results ?? []).map(({ type }) => type), ...[view.platform].filter(Boolean)])
  return (
    <Toolbar label={t('title')}>
      <FilterField
        label={t('platform')}
        value={view.platform}
        choices={[
          { value: '', label: t('anyPlatform') },
          ...[...types].map((type) => ({ value: type, label: platformNamed(type).title })),
        ]}
        onChange={(platform) => onChange({ platform })}
      />
      <DaysFilter days={view} onChange={onChange} />
    </Toolbar>
  )
}

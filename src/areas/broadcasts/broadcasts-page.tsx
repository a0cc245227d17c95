import { IconBroadcast } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q } from '#src/api/query.ts'
import { usePolling } from '#src/realtime/store.ts'
import { NotServed } from '#src/components/not-served.tsx'
import { Pager } from '#src/components/pager.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Page } from '#src/ui/page.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { BroadcastLine } from './broadcast-line.tsx'
import { BroadcastsTools } from './broadcasts-tools.tsx'
import { askOf, isNarrow, pageSize, readView, type View, writeView } from './broadcasts-view.ts'

const waiting = ['broadcasts.scheduler']

/** Past and current broadcasts, newest first. */
export function BroadcastsPage() {
  const { t } = useTranslation('broadcasts')
  const { projectId = '' } = useParams()
  const [params, setParams] = useSearchParams()
  const view = readView(params)
  const { page } = view
  const change = (part: Partial<View>) =>
    setParams((before) => writeView(readView(before), part), { replace: true, preventScrollReset: true })
  const ask = askOf(Number(projectId), view)
  const list = useQuery({
    ...q(broadcasts.list, ask),
    placeholderData: keepPreviousData,
    refetchInterval: usePolling(ask.project_id, 30_000),
  })
  return (
    <Page title={t('title')} intro={t('intro')}>
      <Card>
        <BroadcastsTools projectId={Number(projectId)} view={view} onChange={change} />
        <QueryPart query={list} failed={t('list.failed')} skeleton={<Skeleton height={320} />}>
          {({ results, total }) =>
            results.length > 0 ? (
              <>
                <RowList label={t('title')}>
                  {results.map((row) => (
                    <BroadcastLine key={row.id} projectId={projectId} row={row} />
                  ))}
                </RowList>
                <Pager
                  page={page}
                  size={pageSize}
                  total={total}
                  to={(to) => ({ search: writeView(view, { page: to }).toString() })}
                />
              </>
            ) : isNarrow(view) ? (
              <EmptyState
                title={t('tools.nothing')}
                action={
                  <Button look="outline" onClick={() => setParams({}, { replace: true })}>
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
        </QueryPart>
      </Card>
      <NotServed title={t('more.title')} text={t('more.text')} groups={waiting} />
    </Page>
  )
}

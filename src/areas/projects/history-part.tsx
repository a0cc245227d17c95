import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { history } from '#contract/areas/projects/history.ts'
import { q } from '#src/api/query.ts'
import { Pager } from '#src/components/pager.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { HistoryExport } from './history-export-buttons.tsx'
import { HistoryRow } from './history-row.tsx'
import { HistoryTools } from './history-tools.tsx'
import { askOf, isNarrow, pageSize, readView, type View, writeView } from './history-view.ts'
import styles from './projects.module.css'
import { useTeam } from './use-team.ts'

/** Project history, newest first, with filters and export. */
export function HistoryPart() {
  const { t } = useTranslation('projects')
  const { projectId, members } = useTeam()
  const [params, setParams] = useSearchParams()
  const view = readView(params)
  const list = useQuery({ ...q(history.list, askOf(projectId, view)), placeholderData: keepPreviousData })
  const change = (part: Partial<View>) =>
    setParams((now) => writeView(readView(now), part), { replace: true, preventScrollReset: true })
  return (
    <section className={styles.part} aria-label={t('history.title')}>
      <HistoryTools view={view} members={members.data?.results ?? []} onChange={change} />
      <QueryPart query={list} failed={t('history.failed')} skeleton={<Skeleton height={380} />}>
        {({ results, total }) =>
          results.length > 0 ? (
            <>
              <ol className={styles.events}>
                {results.map((item) => (
                  <HistoryRow key={item.id} item={item} />
                ))}
              </ol>
              <div className={styles.foot}>
                <HistoryExport key={params.toString()} projectId={projectId} view={view} />
                <Pager
                  page={view.page}
                  size={pageSize}
                  total={total}
                  to={(page) => ({ search: writeView(view, { page }).toString() })}
                />
              </div>
            </>
          ) : (
            <EmptyState
              title={t(isNarrow(view) ? 'history.nothing' : 'history.empty')}
              action={
                (isNarrow(view) || view.page > 1) && (
                  <Button look="outline" onClick={() => setParams({}, { replace: true })}>
                    {t('history.reset')}
                  </Button>
                )
              }
            >
              {!isNarrow(view) && t('history.emptyText')}
            </EmptyState>
          )
        }
      </QueryPart>
    </section>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { history } from '#contract/areas/projects/history.ts'
import { q } from '#src/api/query.ts'
import { PagedList } from '#src/components/paged-list.tsx'
import { useListView } from '#src/components/use-list-view.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { HistoryExport } from './history-export-buttons.tsx'
import { HistoryRow } from './history-row.tsx'
import { HistoryTools } from './history-tools.tsx'
import { askOf, isNarrow, pageSize, readView, writeView } from './history-view.ts'
import styles from './projects.module.css'
import { useTeam } from './use-team.ts'

/** Project history, newest first, with filters and export. */
export function HistoryPart() {
  const { t } = useTranslation('projects')
  const { projectId, members } = useTeam()
  const { view, key, change, reset, to } = useListView(readView, writeView)
  const list = useQuery({ ...q(history.list, askOf(projectId, view)), placeholderData: keepPreviousData })
  return (
    <section className={styles.part} aria-label={t('history.title')}>
      <HistoryTools view={view} members={members.data?.results ?? []} onChange={change} />
      <PagedList
        query={list}
        failed={t('history.failed')}
        height={380}
        page={view.page}
        size={pageSize}
        to={to}
        empty={
          <EmptyState
            title={t(isNarrow(view) ? 'history.nothing' : 'history.empty')}
            action={
              (isNarrow(view) || view.page > 1) && (
                <Button look="outline" onClick={reset}>
                  {t('history.reset')}
                </Button>
              )
            }
          >
            {!isNarrow(view) && t('history.emptyText')}
          </EmptyState>
        }
        foot={<HistoryExport key={key} projectId={projectId} view={view} />}
      >
        {(rows) => (
          <ol className={styles.events}>
            {rows.map((item) => (
              <HistoryRow key={item.id} item={item} />
            ))}
          </ol>
        )}
      </PagedList>
    </section>
  )
}

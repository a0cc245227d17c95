import { keepPreviousData, useQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { moneyFlow } from '#contract/areas/billing/money-flow.ts'
import { papers } from '#contract/areas/billing/papers.ts'
import { q } from '#src/api/query.ts'
import { DaysFilter } from '#src/components/days-filter.tsx'
import { archiveRefresh, PaperArchivesCard } from '#src/components/paper-archives.tsx'
import { PagedList } from '#src/components/paged-list.tsx'
import { useListView } from '#src/components/use-list-view.ts'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { FilterField, Toolbar } from '#src/ui/toolbar.tsx'
import styles from './billing.module.css'
import { HistoryTable } from './history-table.tsx'
import { PendingCard } from './pending-card.tsx'
import { askOf, isNarrow, pageSize, purposeNames, readView, typeNames, type View, writeView } from './history-view.ts'
import { call } from '#src/api/call.ts'
import { sessionOf } from '#src/api/query-client.ts'
import { exportMax, readPages } from '#src/api/read-pages.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { download } from '#src/lib/download.ts'
import { fileOf } from './history-file.ts'

/** The History tab: movements of money with filters, pages and export. */
export function HistoryPart() {
  const { t } = useTranslation('billing-history')
  const projectId = Number(useParams()['projectId'])
  const mayRead = useMayEdit(projectId, null)
  if (mayRead === null) return <Skeleton height={380} />
  if (!mayRead) return <EmptyState title={t('viewer.title')}>{t('viewer.text')}</EmptyState>
  return (
    <div className={styles.part}>
      <PendingCard projectId={projectId} isPlain>
        <Movements projectId={projectId} />
        <Archives projectId={projectId} />
      </PendingCard>
    </div>
  )
}

function Archives({ projectId }: { readonly projectId: number }) {
  return <PaperArchivesCard query={useQuery({ ...q(papers.archives, { project_id: projectId }), ...archiveRefresh })} />
}

function Movements({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('billing-history')
  const { view, key, change, reset, to } = useListView(readView, writeView)
  const list = useQuery({ ...q(moneyFlow.list, askOf(projectId, view)), placeholderData: keepPreviousData })
  const isEmpty = !isNarrow(view) && view.page === 1
  return (
    <section className={styles.part} aria-label={t('title')}>
      <Tools view={view} onChange={change} />
      <PagedList
        query={list}
        failed={t('failed')}
        height={380}
        page={view.page}
        size={pageSize}
        to={to}
        empty={
          <EmptyState
            title={t(isEmpty ? 'empty' : 'nothing')}
            action={
              !isEmpty && (
                <Button look="outline" onClick={reset}>
                  {t('reset')}
                </Button>
              )
            }
          >
            {isEmpty && t('emptyText')}
          </EmptyState>
        }
        foot={<HistoryExport key={key} projectId={projectId} view={view} />}
      >
        {(rows) => <HistoryTable projectId={projectId} rows={rows} />}
      </PagedList>
    </section>
  )
}

function Tools({ view, onChange }: { readonly view: View; readonly onChange: (change: Partial<View>) => void }) {
  const { t } = useTranslation(['billing-history', 'billing'])
  return (
    <Toolbar label={t('tools')}>
      <FilterField
        label={t('column.what')}
        value={view.purpose}
        choices={[
          { value: '', label: t('anyPurpose') },
          ...purposeNames.map((value) => ({ value, label: t(`purpose.${value}`) })),
        ]}
        onChange={(purpose) => onChange({ purpose })}
      />
      <FilterField
        label={t('column.balance')}
        value={view.balance}
        choices={[
          { value: '', label: t('anyBalance') },
          ...typeNames.map((value) => ({ value, label: t(`billing:balance.${value}.name`) })),
        ]}
        onChange={(balance) => onChange({ balance })}
      />
      <DaysFilter days={view} onChange={onChange} />
    </Toolbar>
  )
}

/** Button that exports the filtered movements as CSV. */
function HistoryExport({ projectId, view }: { readonly projectId: number; readonly view: View }) {
  const { t } = useTranslation(['billing-history', 'billing'])
  const why = useFailureText()
  const { stop } = usePunctuation()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: async () => {
      const sessionId = sessionOf(queries)
      const { rows, isCut } = await readPages(
        (page) => call(moneyFlow.list, askOf(projectId, view, page), { sessionId }),
        (row) => row.money_flow_id,
      )
      const name = `billing-${projectId}-${new Date().toISOString().slice(0, 10)}.csv`
      download(name, 'text/csv;charset=utf-8', fileOf(rows, t))
      return isCut
    },
  })
  const state = () => {
    if (save.error) return t('export.failed') + stop + why(save.error)
    return save.data ? t('export.cut', { count: exportMax }) : ''
  }
  return (
    <div className={styles.foot}>
      <Button look="outline" isBusy={save.isPending} onClick={() => save.mutate()}>
        {t('export.csv')}
      </Button>
      <output className={styles.quiet}>{state()}</output>
    </div>
  )
}

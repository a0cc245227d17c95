import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { history, type HistoryItem } from '#contract/areas/projects/history.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { q } from '#src/api/query.ts'
import { PagedList } from '#src/components/paged-list.tsx'
import { useListView } from '#src/components/use-list-view.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { askOf, isNarrow, pageSize, readView, type View, writeView } from './history-view.ts'
import styles from './projects.module.css'
import { type Member, useTeam } from './use-team.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { detailsOf, personOf, type Translate } from './history-texts.ts'
import { historyActions, isMoneyAction } from '#contract/entities/history.ts'
import { DaysFilter } from '#src/components/days-filter.tsx'
import { FilterField, Toolbar } from '#src/ui/toolbar.tsx'
import { nameOf } from './person.tsx'
import { sessionOf } from '#src/api/query-client.ts'
import { exportMax } from '#src/api/read-pages.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { download } from '#src/lib/download.ts'
import { readAll, toCsv, toJson } from './history-export.ts'

/** Project history, newest first, with filters and export. */
export function HistoryPart() {
  const { hasPlans } = useInstallation()
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
            {!isNarrow(view) && t(hasPlans ? 'history.emptyText' : 'history.emptyTextFree')}
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

/** One history entry: action, details, user and time. */
function HistoryRow({ item }: { readonly item: HistoryItem }) {
  const { t } = useTranslation('projects')
  const words = useTranslate()
  const details = detailsOf(item, words)
  return (
    <li className={styles.event}>
      <div>
        <strong>{t(`action.${item.action}`, { defaultValue: item.action })}</strong>
        {details && <span> {details}</span>}
        <div className={styles.quiet}>{personOf(item, words)}</div>
      </div>
      <DateStamp iso={item.date} />
    </li>
  )
}

interface HistoryToolsProps {
  readonly view: View
  readonly members: readonly Member[]
  readonly onChange: (change: Partial<View>) => void
}

/** History filters: action, user, from and to dates. */
function HistoryTools({ view, members, onChange }: HistoryToolsProps) {
  const { hasPlans } = useInstallation()
  const { t } = useTranslation('projects')
  const people = members.map((member) => ({
    value: String(member.user_id),
    label: nameOf(member) || t('members.unnamed'),
  }))
  // A shared link may name a former member.
  const isGone = view.person !== 0 && !people.some(({ value }) => value === String(view.person))
  const gone = isGone ? [{ value: String(view.person), label: `#${view.person}` }] : []
  return (
    <Toolbar label={t('history.tools')}>
      <FilterField
        label={t('history.action')}
        value={view.action}
        choices={[
          { value: '', label: t('history.anyAction') },
          ...historyActions
            .filter((action) => hasPlans || !isMoneyAction(action))
            .map((action) => ({ value: action, label: t(`action.${action}`) })),
        ]}
        onChange={(action) => onChange({ action })}
      />
      <FilterField
        label={t('history.person')}
        value={view.person === 0 ? '' : String(view.person)}
        choices={[{ value: '', label: t('history.anyPerson') }, ...people, ...gone]}
        onChange={(value) => onChange({ person: Number(value) })}
      />
      <DaysFilter days={view} onChange={onChange} />
    </Toolbar>
  )
}

interface HistoryExportProps {
  readonly projectId: number
  readonly view: View
}

/** Buttons that export the filtered history as a file. */
function HistoryExport({ projectId, view }: HistoryExportProps) {
  const { t } = useTranslation('projects')
  const words = useTranslate()
  const why = useFailureText()
  const { stop } = usePunctuation()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: async (format: 'csv' | 'json') => {
      const { rows, isCut } = await readAll(projectId, view, sessionOf(queries))
      const name = `history-${projectId}-${new Date().toISOString().slice(0, 10)}.${format}`
      if (format === 'csv') download(name, 'text/csv;charset=utf-8', toCsv(rows, words))
      else download(name, 'application/json', toJson(rows))
      return isCut
    },
  })
  const state = () => {
    if (save.isPending) return t('history.exporting')
    if (save.error) return t('history.exportFailed') + stop + why(save.error)
    return save.data ? t('history.exportCut', { count: exportMax }) : ''
  }
  return (
    <div className={styles.foot} role="group" aria-label={t('history.export')}>
      {(['csv', 'json'] as const).map((format) => (
        <Button key={format} look="outline" isBusy={save.isPending} onClick={() => save.mutate(format)}>
          {t(`history.${format}`)}
        </Button>
      ))}
      <output className={styles.quiet}>{state()}</output>
    </div>
  )
}

/** Returns the translate function for the `projects` namespace, for use outside React components. */
function useTranslate(): Translate {
  const { t } = useTranslation('projects')
  return (key, values = {}) => t(key, values)
}

import { IconShare3 } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { channels } from '#contract/areas/channels/channels.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { useListView } from '#src/components/use-list-view.ts'
import { paths } from '#src/lib/paths.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { AddedNote } from '#src/areas/channels/add/added-note.tsx'
import styles from '#src/areas/channels/channels.module.css'
import { ChannelList } from './channel-list.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import { ListTools } from './list-tools.tsx'
import { Quota } from '#src/areas/channels/add/quota.tsx'
import { isNarrow, readView, searchOf, writeView } from '#src/areas/channels/view.ts'

/** Paged list of the project's channels. */
export function ListPart() {
  const { t } = useTranslation('channels')
  const projectId = Number(useParams()['projectId'])
  const { view, change, reset, to } = useListView(readView, writeView)
  const list = useQuery({ ...q(channels.search, searchOf(projectId, view)), placeholderData: keepPreviousData })
  // Deferred as the content of QueryPart is: removed earlier, the filters would move its placeholder.
  const isNew = useDeferredValue(list.data?.total === 0 && !isNarrow(view))

  return (
    <section className={styles.part} aria-label={t('tab.list')}>
      <AddedNote projectId={projectId} />
      {!isNew && (
        <div className={styles.head}>
          <ListTools view={view} platforms={list.data?.platforms ?? []} onChange={change} />
          <Quota projectId={projectId} />
        </div>
      )}
      <QueryPart query={list} failed={t('failed')} skeleton={<ListSkeleton />}>
        {({ results, total }) =>
          results.length > 0 ? (
            <ChannelList key={projectId} projectId={projectId} view={view} to={to} found={results} total={total} />
          ) : isNew ? (
            <EmptyState
              icon={<IconShare3 size={26} />}
              title={t('empty.title')}
              action={
                <Link to={paths.channels(projectId, 'add')} className={buttonClass()}>
                  {t('empty.action')}
                </Link>
              }
            >
              {t('empty.text')}
            </EmptyState>
          ) : (
            <EmptyState
              title={t('nothing.title')}
              action={
                <Button look="outline" onClick={reset}>
                  {t('nothing.action')}
                </Button>
              }
            >
              {t('nothing.text')}
            </EmptyState>
          )
        }
      </QueryPart>
    </section>
  )
}

import { IconCalendarPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { type Schedule, scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { q } from '#src/api/query.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { PagedList } from '#src/components/paged-list.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { usePageView } from '#src/components/use-list-view.ts'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { windowOf } from '#src/lib/page-params.ts'
import { usePolling } from '#src/realtime/store.ts'
import { Button } from '#src/ui/button.tsx'
import { Card, CardPart } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { ScheduleRow } from './schedule-row.tsx'

const ScheduleDialog = lazy(async () => ({ default: (await import('./schedule-dialog.tsx')).ScheduleDialog }))

/** Most schedules that are not over: 50 with a further run, and those whose last one is on. */
const comingMax = 100
/** Schedules of a page that are over. */
const size = 20
const pollMs = 10_000

/** Schedules of a project: what is on and follows, and what is over. */
export function SchedulePart() {
  const { t } = useTranslation('schedule')
  const projectId = Number(useParams()['projectId'])
  const mayEdit = useMayEdit(projectId)
  const [edited, setEdited] = useState<{ readonly of: Schedule | null } | null>(null)
  const refetchInterval = usePolling(projectId, pollMs)
  const coming = useQuery({
    ...q(scheduler.list, { project_id: projectId, active: true, limit: comingMax }),
    refetchInterval,
  })
  const past = usePast(projectId, refetchInterval)
  const create = (look: 'filled' | 'outline') => (
    <Button look={look} onClick={() => setEdited({ of: null })}>
      <IconCalendarPlus size={18} aria-hidden />
      {t('create')}
    </Button>
  )
  const rows = (schedules: readonly Schedule[], label: string) => (
    <RowList label={label}>
      {schedules.map((schedule) => (
        <ScheduleRow
          key={schedule.id}
          {...{ projectId, schedule, mayEdit }}
          onEdit={() => setEdited({ of: schedule })}
        />
      ))}
    </RowList>
  )
  const total = (coming.data?.total ?? 0) + (past.list.query.data?.total ?? 0)
  return (
    <Card title={t('title')} note={t('note')} actions={mayEdit && total > 0 && create('filled')}>
      <QueryPart query={coming} failed={t('failed')} skeleton={<Skeleton height={240} />}>
        {({ results }) => {
          if (results.length > 0)
            return rows(
              results.toSorted((a, b) => beginOf(a) - beginOf(b)),
              t('coming'),
            )
          if (past.list.query.data?.total !== 0) return <p>{t('noneComing')}</p>
          return (
            <EmptyState
              icon={<IconCalendarPlus size={26} />}
              title={t('none')}
              action={mayEdit ? create('outline') : undefined}
            >
              {t('noneText')}
            </EmptyState>
          )
        }}
      </QueryPart>
      {past.isShown && (
        <CardPart title={t('over')}>
          <PagedList {...past.list} failed={t('failed')} height={240} empty={null}>
            {(schedules) => rows(schedules, t('over'))}
          </PagedList>
        </CardPart>
      )}
      <HelpLinkLater article="stream/schedule" />
      {edited && (
        <Suspense>
          <ScheduleDialog projectId={projectId} schedule={edited.of} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </Card>
  )
}

/** Schedules that are over, in pages. */
function usePast(projectId: number, refetchInterval: number | false) {
  const {
    view: { page },
    to,
  } = usePageView()
  const query = useQuery({
    ...q(scheduler.list, { project_id: projectId, active: false, order: 'desc', ...windowOf(page, size) }),
    refetchInterval,
    placeholderData: keepPreviousData,
  })
  return { isShown: query.data?.total !== 0, list: { query, page, size, to } }
}

/** Begin of the run that is on, else of the next one. */
const beginOf = ({ run, next, start_at: start }: Schedule): number => run?.start_at ?? next[0] ?? start

import { IconCalendarPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { type Schedule, scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { q } from '#src/api/query.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { usePolling } from '#src/realtime/store.ts'
import { Button } from '#src/ui/button.tsx'
import { Card, CardPart } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { ScheduleRow } from './schedule-row.tsx'

const ScheduleDialog = lazy(async () => ({ default: (await import('./schedule-dialog.tsx')).ScheduleDialog }))

/** All schedules that are not over, and the newest of those that are. */
const shown = 100
const pollMs = 10_000

/** Schedules of a project: what is on and follows, and what is over. */
export function SchedulePart() {
  const { t } = useTranslation('schedule')
  const projectId = Number(useParams()['projectId'])
  const mayEdit = useMayEdit(projectId)
  const [edited, setEdited] = useState<{ readonly of: Schedule | null } | null>(null)
  const list = useQuery({
    ...q(scheduler.list, { project_id: projectId, order: 'desc', limit: shown }),
    refetchInterval: usePolling(projectId, pollMs),
  })
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
  const hasRows = (list.data?.results.length ?? 0) > 0
  return (
    <Card title={t('title')} note={t('note')} actions={mayEdit && hasRows && create('filled')}>
      <QueryPart query={list} failed={t('failed')} skeleton={<Skeleton height={240} />}>
        {({ results }) => {
          const coming = results.filter(({ active }) => active).toSorted((a, b) => beginOf(a) - beginOf(b))
          const over = results.filter(({ active }) => !active)
          if (results.length === 0)
            return (
              <EmptyState
                icon={<IconCalendarPlus size={26} />}
                title={t('none')}
                action={mayEdit ? create('outline') : undefined}
              >
                {t('noneText')}
              </EmptyState>
            )
          return (
            <>
              {coming.length > 0 ? rows(coming, t('coming')) : <p>{t('noneComing')}</p>}
              {over.length > 0 && <CardPart title={t('over')}>{rows(over, t('over'))}</CardPart>}
            </>
          )
        }}
      </QueryPart>
      <HelpLinkLater article="stream/schedule" />
      {edited && (
        <Suspense>
          <ScheduleDialog projectId={projectId} schedule={edited.of} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </Card>
  )
}

/** Begin of the run that is on, else of the next one. */
const beginOf = ({ run, next, start_at: start }: Schedule): number => run?.start_at ?? next[0] ?? start

import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OnAir } from '#contract/entities/on-air.ts'
import { Deferred } from '#src/components/deferred.tsx'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { memo, type ReactNode, useEffect } from 'react'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q } from '#src/api/query.ts'
import { useEventWords } from '#src/areas/broadcasts/use-event-words.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { useIsLive } from '#src/realtime/store.ts'
import { formatTime } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './feed.module.css'
import { type FeedLine, feedOf, lastOf } from './feed-lines.ts'

const read = 30
const shown = 8

interface EventFeedProps {
  readonly projectId: number
  readonly broadcastId: number
  /** Changes with every event, as far as the status shows. */
  readonly states: string
  /** Placeholder of the same size while the events load. */
  readonly room: ReactNode
}

/** Events of a broadcast, newest first. */
const EventFeed = memo(function EventFeed({ projectId, broadcastId, states, room }: EventFeedProps) {
  const { t } = useTranslation('home', { keyPrefix: 'events' })
  const list = useQuery({
    ...q(broadcasts.events, { project_id: projectId, broadcast_id: broadcastId, limit: read }),
    staleTime: Infinity,
  })
  const queries = useQueryClient()
  const isLive = useIsLive(projectId)
  // New events arrive by realtime, else each of them changes a state: no polling until then.
  useEffect(() => {
    if (!isLive) void queries.invalidateQueries({ queryKey: broadcasts.events.id.split('.') })
  }, [queries, states, isLive])
  return (
    <QueryPart query={list} failed={t('failed')} skeleton={room}>
      {({ results }) => (
        <ol className={styles.feed} aria-label={t('title')}>
          {feedOf(results)
            .slice(0, shown)
            .map((line) => (
              <Line key={line.event.id} {...line} />
            ))}
        </ol>
      )}
    </QueryPart>
  )
})

const icons = { debug: IconInfoCircle, info: IconInfoCircle, warning: IconAlertTriangle, error: IconCircleX } as const

function Line({ event, count }: FeedLine) {
  const { t } = useTranslation(['home', 'broadcasts'])
  const language = useLanguage()
  const { what, why } = useEventWords()(event)
  const Icon = icons[event.level]
  return (
    <li className={styles.line} data-level={event.level}>
      <time dateTime={lastOf(event)}>{formatTime(lastOf(event), language)}</time>
      <Icon size={18} aria-hidden />
      <p>
        <span className="visually-hidden">
          {t('broadcasts:events.prefix', { level: t(`broadcasts:events.one.${event.level}`) })}{' '}
        </span>
        <strong>{what}</strong>{' '}
        {count > 1 && <span className={styles.count}>{t('broadcasts:events.times', { count })}</span>}
        {why && <span className={styles.why}>{why}</span>}
      </p>
    </li>
  )
}

interface Props {
  readonly projectId: number
  readonly onAir: OnAir
}

const room = <Skeleton height={200} />

/** Latest events, with a link to all of them. */
export function EventsCard({ projectId, onAir: { broadcast_id: broadcastId, status, restreams } }: Props) {
  const { t } = useTranslation('home', { keyPrefix: 'events' })
  const states = [status, ...restreams.map(({ id, state, since }) => `${id} ${state} ${since}`)].join()
  return (
    <Card title={t('title')} actions={<Link to={paths.broadcast(projectId, broadcastId)}>{t('all')}</Link>}>
      <Deferred room={room}>
        <EventFeed projectId={projectId} broadcastId={broadcastId} states={states} room={room} />
      </Deferred>
    </Card>
  )
}

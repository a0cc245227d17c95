import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OnAir } from '#contract/entities/on-air.ts'
import { Deferred } from '#src/components/deferred.tsx'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { EventFeed } from './event-feed.tsx'

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

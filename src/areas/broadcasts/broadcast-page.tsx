import { IconBroadcast } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q } from '#src/api/query.ts'
import { usePolling } from '#src/realtime/store.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatDateTime } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card, Cards } from '#src/ui/card.tsx'
import { Page } from '#src/ui/page.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { BroadcastFacts } from './broadcast-facts.tsx'
import { EventsCard } from './events-card.tsx'
import { RecordingsCard } from './recordings-card.tsx'
import { RestreamList } from './restream-list.tsx'
import { TimelineCard } from './timeline-card.tsx'

const runningMs = 10_000
/** Refetch interval of graphs in milliseconds: the service computes the averages of their points. */
const graphMs = 30_000

/** Broadcast page: timeline, destinations, recordings and events. */
export function BroadcastPage() {
  const { t } = useTranslation('broadcasts')
  const language = useLanguage()
  const { projectId = '', broadcastId = '' } = useParams()
  const which = { project_id: Number(projectId), broadcast_id: Number(broadcastId) }
  const polling = usePolling(which.project_id, runningMs)
  const one = useQuery({
    ...q(broadcasts.get, which),
    refetchInterval: ({ state }) => state.data?.finish_at === null && polling,
  })
  const isRunning = one.data?.finish_at === null
  const name = one.data ? formatDateTime(one.data.created_at, language) : `#${broadcastId}`
  return (
    <Page
      title={name}
      intro={<Link to={paths.broadcasts(projectId)}>{t('one.back')}</Link>}
      actions={
        isRunning && (
          <Badge tone="live" icon={<IconBroadcast size={14} aria-hidden />}>
            {t('onAir')}
          </Badge>
        )
      }
    >
      <QueryPart query={one} failed={t('one.failed')} skeleton={<Skeleton height={340} />}>
        {(data) => (
          <Cards>
            <Card title={t('facts.title')}>
              <BroadcastFacts one={data} />
            </Card>
            <Card title={t('restreams.title')}>
              <RestreamList projectId={projectId} restreams={data.restreams} />
            </Card>
          </Cards>
        )}
      </QueryPart>
      {one.data && (
        <TimelineCard project_id={which.project_id} one={one.data} everyMs={isRunning && (polling || graphMs)} />
      )}
      <RecordingsCard {...which} isRunning={isRunning} />
      <EventsCard {...which} isRunning={isRunning} />
    </Page>
  )
}

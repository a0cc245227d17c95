import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OnAir } from '#contract/entities/on-air.ts'
import { Deferred } from '#src/components/deferred.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { OnAirFacts } from './on-air-facts.tsx'
import { SignalGraph } from './signal-graph.tsx'

interface Props {
  readonly projectId: number
  readonly onAir: OnAir
}

const room = <Skeleton height={190} />

/** Incoming stream, now and over the last minutes. */
export function SignalCard({ projectId, onAir }: Props) {
  const { t } = useTranslation('home')
  const { broadcast_id: broadcastId } = onAir
  return (
    <Card
      title={t('signal.title')}
      actions={<Link to={paths.broadcast(projectId, broadcastId)}>{t('onAir.more')}</Link>}
    >
      <Deferred room={room}>
        <SignalGraph projectId={projectId} broadcastId={broadcastId} room={room} />
      </Deferred>
      <OnAirFacts onAir={onAir} />
      <HelpLinkLater article="start/quality" />
    </Card>
  )
}

import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OnAir } from '#contract/areas/broadcasts/broadcasts.ts'
import { BitrateGraph } from '#src/areas/broadcasts/bitrate-graph.tsx'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { OnAirFacts } from './on-air-facts.tsx'
import { useSamples } from './use-samples.ts'

interface Props {
  readonly projectId: number
  readonly onAir: OnAir
}

/** What comes in, now and over the last minutes. */
export function SignalCard({ projectId, onAir }: Props) {
  const { t } = useTranslation('home')
  const samples = useSamples(projectId, onAir)
  return (
    <Card
      title={t('signal.title')}
      actions={<Link to={paths.broadcast(projectId, onAir.broadcast_id)}>{t('onAir.more')}</Link>}
    >
      {samples.length === 0 ? <Skeleton height={190} /> : <BitrateGraph samples={samples} gap={10} isSmall />}
      <OnAirFacts onAir={onAir} />
    </Card>
  )
}

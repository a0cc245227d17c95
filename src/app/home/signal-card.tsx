import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OnAir } from '#contract/areas/broadcasts/broadcasts.ts'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { BitrateGraph, Later } from './later.tsx'
import { OnAirFacts } from './on-air-facts.tsx'
import { useSamples } from './use-samples.ts'

interface Props {
  readonly projectId: number
  readonly onAir: OnAir
}

const room = <Skeleton height={190} />

/** What comes in, now and over the last minutes. */
export function SignalCard({ projectId, onAir }: Props) {
  const { t } = useTranslation('home')
  const samples = useSamples(projectId, onAir)
  return (
    <Card
      title={t('signal.title')}
      actions={<Link to={paths.broadcast(projectId, onAir.broadcast_id)}>{t('onAir.more')}</Link>}
    >
      <Later room={room}>{samples.length === 0 ? room : <BitrateGraph samples={samples} gap={10} isSmall />}</Later>
      <OnAirFacts onAir={onAir} />
    </Card>
  )
}

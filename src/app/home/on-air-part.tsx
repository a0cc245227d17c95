import { IconBroadcast, IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { broadcasts, type OnAir } from '#contract/areas/broadcasts/broadcasts.ts'
import { q } from '#src/api/query.ts'
import { BitrateGraph, type Sample } from '#src/areas/broadcasts/bitrate-graph.tsx'
import { Elapsed } from '#src/areas/broadcasts/elapsed.tsx'

import { paths } from '#src/lib/paths.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { ChannelLines } from './channel-lines.tsx'
import styles from './home.module.css'
import { OnAirFacts } from './on-air-facts.tsx'
import { StopButton } from './stop-button.tsx'
import { useMayEdit } from './use-may-edit.ts'

/** Seconds that the graph looks back. */
const windowS = 300

interface Props {
  readonly projectId: number
  readonly onAir: OnAir
}

/** The broadcast that is running. */
export function OnAirPart({ projectId, onAir }: Props) {
  const { t } = useTranslation('home')
  const mayEdit = useMayEdit(projectId)
  const samples = useSamples(projectId, onAir)
  const { broadcast_id, status, date_start } = onAir
  return (
    <>
      <Card
        title={
          <span className={styles.state}>
            {status === 'lost' ? (
              <Badge tone="warn" icon={<IconPlugConnectedX size={15} aria-hidden />}>
                {t('onAir.lost')}
              </Badge>
            ) : (
              <Badge tone="live" icon={<IconBroadcast size={15} aria-hidden />}>
                {t('onAir.title')}
              </Badge>
            )}
            <Elapsed since={date_start} />
          </span>
        }
        actions={mayEdit && <StopButton projectId={projectId} broadcastId={broadcast_id} />}
      >
        {status === 'lost' && <p className={styles.lost}>{t('onAir.lostText')}</p>}
        <OnAirFacts onAir={onAir} />
        <BitrateGraph samples={samples} gap={10} isSmall />
        <Link to={paths.broadcast(projectId, broadcast_id)}>{t('onAir.more')}</Link>
      </Card>
      <Card title={t('channels.title')}>
        <ChannelLines projectId={projectId} onAir={onAir} mayEdit={mayEdit} />
      </Card>
    </>
  )
}

/** The last minutes: what the graph knew when the page opened, then what each look at the status brings. */
function useSamples(projectId: number, { broadcast_id, date_sample, bitrate, status }: OnAir): Sample[] {
  const { data } = useQuery({ ...q(broadcasts.bitrate, { project_id: projectId, broadcast_id }), staleTime: Infinity })
  const [seen, setSeen] = useState<readonly Sample[]>([])
  const at = date_sample === null ? 0 : Math.floor(Date.parse(date_sample) / 1000)
  if (status === 'active' && bitrate !== null && at > (seen.at(-1)?.at ?? 0))
    setSeen([...seen, { at, kbps: bitrate }].slice(-windowS))
  const from = (seen.at(-1)?.at ?? 0) - windowS
  const first = seen[0]?.at ?? Infinity
  const before = (data?.labels ?? []).flatMap((label, index) =>
    label > from && label < first ? [{ at: label, kbps: data?.data[index] ?? 0 }] : [],
  )
  return [...before, ...seen.filter((sample) => sample.at > from)]
}

import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OnAir } from '#contract/entities/on-air.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { q } from '#src/api/query.ts'
import { usePlatform } from '#src/components/use-platform.ts'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { identityOf, linesOf, type ChannelLine } from './channel-lines.ts'
import { ChannelRow } from './channel-row.tsx'
import styles from '#src/app/home/home.module.css'
import { useKeptRows } from './use-kept-rows.ts'

interface Props {
  readonly projectId: number
  readonly onAir: OnAir
  readonly mayEdit: boolean | null
  readonly isStale: boolean
}

/** Channels that receive the broadcast, and below them those that are off. */
export function ChannelsCard({ projectId, onAir, mayEdit, isStale }: Props) {
  const { t } = useTranslation('home')
  // The status contains the channels on air; the list adds switches and the channels that are off.
  const list = useQuery(q(channels.search, { project_id: projectId, limit: 100 }))
  // Every row changes: rendered in slices.
  const data = useDeferredValue(list.data)
  const isWaiting = data === undefined && !list.isError
  const { kept, hold, frame } = useKeptRows()
  const { on, off } = linesOf(data?.results ?? [], onAir.restreams, kept)
  // One subscription for all rows.
  const platformOf = usePlatform()
  const row = ({ key, channel, restream }: ChannelLine) => {
    const platform = platformOf(identityOf(channel, restream).type)
    return (
      <ChannelRow
        key={key}
        projectId={projectId}
        broadcastId={onAir.broadcast_id}
        channel={channel}
        platform={platform.type}
        platformTitle={platform.title}
        isWaiting={isWaiting}
        restream={restream}
        isPaused={onAir.status === 'pause'}
        mayEdit={mayEdit ?? false}
        isStale={isStale}
        onSwitch={hold}
      />
    )
  }
  return (
    <Card title={t('channels.title')} actions={<Link to={paths.channels(projectId)}>{t('channels.all')}</Link>}>
      <div {...frame}>
        {on.length === 0 &&
          (isWaiting ? <Skeleton height={64} /> : <p className={styles.text}>{t('channels.none')}</p>)}
        {on.length > 0 && <RowList label={t('channels.title')}>{on.map(row)}</RowList>}
        {off.length > 0 ? (
          <details className={styles.off} open={on.length === 0}>
            <summary>{t('channels.off', { count: off.length })}</summary>
            <RowList label={t('channels.offTitle')}>{off.map(row)}</RowList>
          </details>
        ) : (
          <div className={styles.offRoom} />
        )}
      </div>
    </Card>
  )
}

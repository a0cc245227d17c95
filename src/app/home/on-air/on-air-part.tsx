import { useQuery } from '@tanstack/react-query'
import { type FocusEvent, lazy, type PointerEvent, Suspense, useCallback, useDeferredValue, useState } from 'react'
import { channels } from '#contract/areas/channels/channels.ts'
import type { Output } from '#contract/core/operation.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import { q } from '#src/api/query.ts'
import { Deferred } from '#src/components/deferred.tsx'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { dayMs } from '#src/lib/format.ts'
import { AirHead } from './air-head.tsx'
import { EventsCard } from '#src/app/home/feed/events-card.tsx'
import { healthOf } from './health.ts'
import styles from '#src/app/home/home.module.css'
import { BitrateNote } from './bitrate-note.tsx'
import { LivePicture } from './live-picture.tsx'
import picture from './picture.module.css'
import { PlanEndNote } from './plan-end-note.tsx'
import { LiveFiguresContext, useLiveFigures } from './live-figures.ts'
import { SignalCard } from './signal-card.tsx'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { usePlatform } from '#src/components/use-platform.ts'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { type ChannelLine, identityOf, linesOf } from './channel-lines.ts'
import { ChannelRow } from './channel-row.tsx'

const none: ReadonlySet<number> = new Set()

/**
 * Keeps a channel's row in place after it is switched off, until pointer and focus leave the list: otherwise the next
 * switch would move under the pointer.
 */
function useKeptRows() {
  const [kept, setKept] = useState(none)
  const hold = useCallback((channelId: number) => setKept((known) => new Set([...known, channelId])), [])
  const release = () => setKept(none)
  const frame = {
    onPointerLeave: ({ currentTarget, pointerType }: PointerEvent<HTMLElement>) => {
      // A finger leaves with every tap, but its focus stays.
      if (pointerType === 'mouse' || !currentTarget.contains(document.activeElement)) release()
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
      if (!currentTarget.contains(relatedTarget) && !currentTarget.matches(':hover')) release()
    },
  }
  return { kept, hold, frame }
}

interface ChannelsCardProps {
  readonly projectId: number
  readonly onAir: OnAir
  readonly mayEdit: boolean | null
  readonly isStale: boolean
}

/** Channels that receive the broadcast, and below them those that are off. */
function ChannelsCard({ projectId, onAir, mayEdit, isStale }: ChannelsCardProps) {
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

const Chat = lazy(() => import('#src/areas/chat/home-chat.tsx'))

interface Props {
  readonly projectId: number
  readonly onAir: OnAir
  /** The last known state, which may be out of date. */
  readonly isStale: boolean
}

const idsOfActive = ({ results }: Output<typeof channels.search>): readonly number[] =>
  results.filter(({ active }) => active).map(({ group_id }) => group_id)

/** The running broadcast. Each part selects its own data and renders only when that changes. */
export function OnAirPart({ projectId, onAir, isStale }: Props) {
  const mayEdit = useMayEdit(projectId, null)
  const { status, action, broadcast_id, date_start, date_close, restreams } = onAir
  const list = useQuery({ ...q(channels.search, { project_id: projectId, limit: 100 }), select: idsOfActive })
  const { bitrate_state, bitrate_max, bitrate_judged } = onAir
  return (
    <LiveFiguresContext value={useLiveFigures(projectId)}>
      <AirHead
        {...{ projectId, status, action, broadcast_id, date_start, date_close, mayEdit, isStale }}
        {...healthOf({ status, restreams }, list.data)}
      />
      {/* Notes with texts of their own: the rest of the page does not wait for them. */}
      <Suspense>
        {!isStale && bitrate_state !== undefined && bitrate_state !== 'fine' && (
          <BitrateNote {...{ projectId, bitrate_state, bitrate_max, bitrate_judged }} />
        )}
        <PlanEndNote projectId={projectId} aheadMs={dayMs} />
      </Suspense>
      <div className={styles.room} data-stale={isStale || undefined}>
        <div className={styles.side}>
          <ChannelsCard {...{ projectId, onAir, mayEdit, isStale }} />
          <EventsCard projectId={projectId} onAir={onAir} />
        </div>
        <div className={styles.side}>
          <Deferred room={<div className={picture.picture} aria-hidden />}>
            <LivePicture projectId={projectId} />
          </Deferred>
          <SignalCard projectId={projectId} onAir={onAir} />
          <Deferred room={<i />}>
            <Chat projectId={projectId} />
          </Deferred>
        </div>
      </div>
    </LiveFiguresContext>
  )
}

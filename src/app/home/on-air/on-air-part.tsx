import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { channels } from '#contract/areas/channels/channels.ts'
import type { Output } from '#contract/core/operation.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import { q } from '#src/api/query.ts'
import { Deferred } from '#src/components/deferred.tsx'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { dayMs } from '#src/lib/format.ts'
import { AirHead } from './air-head.tsx'
import { ChannelsCard } from './channels-card.tsx'
import { EventsCard } from '#src/app/home/feed/events-card.tsx'
import { healthOf } from './health.ts'
import styles from '#src/app/home/home.module.css'
import { BitrateNote } from './bitrate-note.tsx'
import { LivePicture } from './live-picture.tsx'
import picture from './picture.module.css'
import { PlanEndNote } from './plan-end-note.tsx'
import { LiveFiguresContext, useLiveFigures } from './live-figures.ts'
import { SignalCard } from './signal-card.tsx'

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

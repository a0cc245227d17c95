import type { OnAir } from '#contract/areas/broadcasts/broadcasts.ts'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { AirHead } from './air-head.tsx'
import { ChannelsCard } from './channels-card.tsx'
import { healthOf } from './health.ts'
import styles from './home.module.css'
import { BitrateNote, EventFeed, Later, LivePicture } from './later.tsx'
import picture from './picture.module.css'
import { SignalCard } from './signal-card.tsx'

interface Props {
  readonly projectId: number
  readonly onAir: OnAir
  /** It is what was known last, and may be so no longer. */
  readonly isStale: boolean
}

/** The broadcast that is running. It is told each second: each part takes what it shows, and rests while that stays. */
export function OnAirPart({ projectId, onAir, isStale }: Props) {
  const mayEdit = useMayEdit(projectId, null)
  const { status, action, broadcast_id, date_start, restreams } = onAir
  const { bitrate_state, bitrate_max, bitrate_judged } = onAir
  const states = [status, ...restreams.map(({ id, state, since }) => `${id} ${state} ${since}`)].join()
  return (
    <>
      <AirHead
        {...{ projectId, status, action, broadcast_id, date_start, mayEdit, isStale }}
        {...healthOf({ status, restreams })}
      />
      {!isStale && bitrate_state !== undefined && bitrate_state !== 'fine' && (
        <Later room={null}>
          <BitrateNote {...{ projectId, bitrate_state, bitrate_max, bitrate_judged }} />
        </Later>
      )}
      <div className={styles.room}>
        <div className={styles.side}>
          <ChannelsCard projectId={projectId} onAir={onAir} mayEdit={mayEdit} />
          <Later room={<Skeleton height={280} />}>
            <EventFeed projectId={projectId} broadcastId={broadcast_id} states={states} />
          </Later>
        </div>
        <div className={styles.side}>
          <Later room={<div className={picture.picture} aria-hidden />}>
            <LivePicture projectId={projectId} />
          </Later>
          <SignalCard projectId={projectId} onAir={onAir} />
        </div>
      </div>
    </>
  )
}

import type { OnAir } from '#contract/entities/on-air.ts'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { dayMs } from '#src/lib/format.ts'
import { AirHead } from './air-head.tsx'
import { ChannelsCard } from './channels-card.tsx'
import { EventsCard } from '#src/app/home/feed/events-card.tsx'
import { healthOf } from './health.ts'
import styles from '#src/app/home/home.module.css'
import { Below, BitrateNote, Later, LivePicture, PlanEndNote } from './later.tsx'
import picture from './picture.module.css'
import { PulseContext, usePulse } from './pulse.ts'
import { SignalCard } from './signal-card.tsx'

interface Props {
  readonly projectId: number
  readonly onAir: OnAir
  /** It is what was known last, and may be so no longer. */
  readonly isStale: boolean
}

/** The broadcast that is running. Each part takes what it shows, and rests while that stays. */
export function OnAirPart({ projectId, onAir, isStale }: Props) {
  const mayEdit = useMayEdit(projectId, null)
  const { status, action, broadcast_id, date_start, date_close, restreams } = onAir
  const { bitrate_state, bitrate_max, bitrate_judged } = onAir
  return (
    <PulseContext value={usePulse(projectId)}>
      <AirHead
        {...{ projectId, status, action, broadcast_id, date_start, date_close, mayEdit, isStale }}
        {...healthOf({ status, restreams })}
      />
      {!isStale && bitrate_state !== undefined && bitrate_state !== 'fine' && (
        <Later room={null}>
          <BitrateNote {...{ projectId, bitrate_state, bitrate_max, bitrate_judged }} />
        </Later>
      )}
      <Later room={null}>
        <PlanEndNote projectId={projectId} aheadMs={dayMs} />
      </Later>
      <div className={styles.room} data-stale={isStale || undefined}>
        <div className={styles.side}>
          <ChannelsCard {...{ projectId, onAir, mayEdit, isStale }} />
          <EventsCard projectId={projectId} onAir={onAir} />
        </div>
        <div className={styles.side}>
          <Below room={<div className={picture.picture} aria-hidden />}>
            <LivePicture projectId={projectId} />
          </Below>
          <SignalCard projectId={projectId} onAir={onAir} />
        </div>
      </div>
    </PulseContext>
  )
}

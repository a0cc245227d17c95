import type { OnAir } from '#contract/areas/broadcasts/broadcasts.ts'
import { AirHead } from './air-head.tsx'
import { ChannelsCard } from './channels-card.tsx'
import { EventFeed } from './event-feed.tsx'
import styles from './home.module.css'
import { LivePicture } from './live-picture.tsx'
import { SignalCard } from './signal-card.tsx'
import { useMayEdit } from './use-may-edit.ts'

interface Props {
  readonly projectId: number
  readonly onAir: OnAir
  /** It is what was known last, and may be so no longer. */
  readonly isStale: boolean
}

/** The broadcast that is running. */
export function OnAirPart({ projectId, onAir, isStale }: Props) {
  const mayEdit = useMayEdit(projectId)
  return (
    <>
      <AirHead projectId={projectId} onAir={onAir} mayEdit={mayEdit} isStale={isStale} />
      <div className={styles.room}>
        <div className={styles.side}>
          <ChannelsCard projectId={projectId} onAir={onAir} mayEdit={mayEdit} />
          <EventFeed projectId={projectId} onAir={onAir} />
        </div>
        <div className={styles.side}>
          <LivePicture projectId={projectId} />
          <SignalCard projectId={projectId} onAir={onAir} />
        </div>
      </div>
    </>
  )
}

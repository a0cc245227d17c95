import { IconBroadcast, IconPlayerPause, IconPlugConnectedX } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { OnAir } from '#contract/entities/on-air.ts'
import { Elapsed } from '#src/areas/broadcasts/elapsed.tsx'
import styles from './air-head.module.css'
import type { Health } from './health.ts'
import { PauseButton } from './pause-button.tsx'
import { StopButton } from './stop-button.tsx'

interface Props extends Health, Pick<OnAir, 'status' | 'action' | 'broadcast_id' | 'date_start'> {
  readonly projectId: number
  /** Null while it is not known: there is room for the buttons, so that nothing moves when they come. */
  readonly mayEdit: boolean | null
  readonly isStale: boolean
}

const looks = {
  active: ['title', IconBroadcast],
  pause: ['paused', IconPlayerPause],
  lost: ['lost', IconPlugConnectedX],
} as const

/** Am I on air, since when, and is all well: what is read from across the room. */
export const AirHead = memo(function AirHead(props: Props) {
  const { t } = useTranslation(['home', 'live'])
  const { projectId, broadcast_id: broadcastId, state, live, count, mayEdit, isStale } = props
  const [title, Icon] = looks[props.status]
  const health = t(`health.${state}`, { live, count })
  return (
    <section className={styles.head} data-health={state} data-stale={isStale || undefined} aria-labelledby="air">
      <div className={styles.state}>
        <span className={styles.sign} aria-hidden>
          <Icon size={24} />
        </span>
        <h2 id="air">{t(`onAir.${title}`)}</h2>
        {!isStale && (
          <span className={styles.time}>
            <Elapsed since={props.date_start} />
          </span>
        )}
      </div>
      <p className={styles.health}>{isStale ? t('live:lastKnown', { word: health }) : health}</p>
      {mayEdit !== false && (
        <div className={styles.actions}>
          {mayEdit && (
            <>
              <PauseButton projectId={projectId} broadcastId={broadcastId} isPaused={props.action === 'stopped'} />
              <StopButton projectId={projectId} broadcastId={broadcastId} />
            </>
          )}
        </div>
      )}
    </section>
  )
})

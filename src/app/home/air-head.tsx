import { IconBroadcast, IconPlayerPause, IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { OnAir } from '#contract/areas/broadcasts/broadcasts.ts'
import { Elapsed } from '#src/areas/broadcasts/elapsed.tsx'
import styles from './air-head.module.css'
import { healthOf } from './health.ts'
import { PauseButton } from './pause-button.tsx'
import { StopButton } from './stop-button.tsx'

interface Props {
  readonly projectId: number
  readonly onAir: OnAir
  readonly mayEdit: boolean
  readonly isStale: boolean
}

const looks = {
  active: ['title', IconBroadcast],
  pause: ['paused', IconPlayerPause],
  lost: ['lost', IconPlugConnectedX],
} as const

/** Am I on air, since when, and is all well: what is read from across the room. */
export function AirHead({ projectId, onAir, mayEdit, isStale }: Props) {
  const { t } = useTranslation('home')
  const { key, live, count } = healthOf(onAir)
  const [title, Icon] = looks[onAir.status]
  return (
    <section className={styles.head} data-health={key} data-stale={isStale || undefined} aria-labelledby="air">
      <div className={styles.state}>
        <span className={styles.sign} aria-hidden>
          <Icon size={24} />
        </span>
        <h2 id="air">{t(`onAir.${title}`)}</h2>
        {!isStale && (
          <span className={styles.time}>
            <Elapsed since={onAir.date_start} />
          </span>
        )}
      </div>
      <p className={styles.health}>{t(`health.${key}`, { live, count })}</p>
      {mayEdit && (
        <div className={styles.actions}>
          <PauseButton projectId={projectId} broadcastId={onAir.broadcast_id} isPaused={onAir.action === 'stopped'} />
          <StopButton projectId={projectId} broadcastId={onAir.broadcast_id} />
        </div>
      )}
    </section>
  )
}

import { IconBroadcast, IconPlayerPause, IconPlayerPlay, IconPlayerStop, IconPlugConnectedX } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import { useWrite } from '#src/api/query.ts'
import { Countdown, Elapsed } from '#src/areas/broadcasts/elapsed.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { AirButton } from './air-button.tsx'
import { formatDuration } from '#src/lib/duration.ts'
import styles from './air-head.module.css'
import type { Health } from './health.ts'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'

interface Props extends Health, Pick<OnAir, 'status' | 'action' | 'broadcast_id' | 'date_start' | 'date_close'> {
  readonly projectId: number
  /** Null while unknown: space for the buttons is reserved, so that nothing moves when they appear. */
  readonly mayEdit: boolean | null
  readonly isStale: boolean
}

const looks = {
  active: ['title', IconBroadcast],
  pause: ['paused', IconPlayerPause],
  lost: ['lost', IconPlugConnectedX],
} as const

/** Heading of the broadcast in large type: state, duration and health. */
export const AirHead = memo(function AirHead(props: Props) {
  const { t } = useTranslation(['home', 'live'])
  const { projectId, broadcast_id: broadcastId, state, live, count, mayEdit, isStale } = props
  const [title, Icon] = looks[props.status]
  const isPaused = props.action === 'stopped'
  const pause = useWrite(isPaused ? broadcasts.play : broadcasts.pause)
  const failure = useFailureText()
  const health = t(`health.${state}`, { live, count })
  return (
    <section className={styles.head} data-health={state} data-stale={isStale || undefined} aria-labelledby="air">
      <div className={styles.state}>
        <span className={styles.sign} aria-hidden>
          <Icon size={24} />
        </span>
        <h2 id="air">{t(`onAir.${title}`)}</h2>
        {!isStale && state !== 'lost' && (
          <span className={styles.time}>
            <Elapsed since={props.date_start} />
          </span>
        )}
      </div>
      <p className={styles.health}>
        {isStale ? (
          t('live:lastKnown', { word: health })
        ) : props.date_close && state === 'lost' ? (
          <Countdown
            until={props.date_close}
            text={(seconds) => t('health.lostFor', { left: formatDuration(seconds * 1000) })}
          />
        ) : (
          health
        )}
      </p>
      {mayEdit !== false && (
        <div className={styles.actions}>
          {mayEdit && (
            <>
              <AirButton write={pause} projectId={projectId} broadcastId={broadcastId}>
                {isPaused ? <IconPlayerPlay size={18} aria-hidden /> : <IconPlayerPause size={18} aria-hidden />}
                {t(isPaused ? 'pause.resume' : 'pause.button')}
              </AirButton>
              <StopButton projectId={projectId} broadcastId={broadcastId} />
            </>
          )}
        </div>
      )}
      <div role="alert" className={styles.refused}>
        {pause.error && <p>{failure(pause.error)}</p>}
      </div>
    </section>
  )
})

interface StopButtonProps {
  readonly projectId: number
  readonly broadcastId: number
}

/** Ends the broadcast after confirmation. */
function StopButton({ projectId, broadcastId }: StopButtonProps) {
  const { t } = useTranslation('home', { keyPrefix: 'stop' })
  const failure = useFailureText()
  const [isAsking, setAsking] = useState(false)
  const stop = useWrite(broadcasts.stop, { onSuccess: () => setAsking(false) })
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        <IconPlayerStop size={18} aria-hidden />
        {t('button')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('title')}
          confirm={t('confirm')}
          keep={t('keep')}
          isDanger
          isBusy={stop.isPending}
          problem={stop.error && failure(stop.error)}
          onConfirm={() => stop.mutate({ project_id: projectId, broadcast_id: broadcastId })}
          onClose={() => setAsking(false)}
        >
          <p>{t('text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

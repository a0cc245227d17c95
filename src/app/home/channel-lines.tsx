import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { broadcasts, type OnAir, type Restream } from '#contract/areas/broadcasts/broadcasts.ts'
import { useWrite } from '#src/api/query.ts'
import { Countdown } from '#src/areas/broadcasts/elapsed.tsx'
import { RestreamBadge } from '#src/areas/broadcasts/restream-badge.tsx'
import { useWhy } from '#src/areas/broadcasts/use-event-words.ts'
import { usePlatform } from '#src/areas/broadcasts/use-platform.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { paths } from '#src/lib/paths.ts'
import { Button } from '#src/ui/button.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import styles from './home.module.css'

interface Props {
  readonly projectId: number
  readonly onAir: OnAir
  readonly mayEdit: boolean
}

/** Every channel that the broadcast goes to. */
export function ChannelLines({ projectId, onAir, mayEdit }: Props) {
  const { t } = useTranslation('home')
  if (onAir.restreams.length === 0)
    return (
      <p className={styles.text}>
        {t('channels.none')} <Link to={paths.channels(projectId)}>{t('channels.link')}</Link>
      </p>
    )
  return (
    <RowList label={t('channels.title')}>
      {onAir.restreams.map((restream) => (
        <ChannelLine
          key={restream.id}
          projectId={projectId}
          broadcastId={onAir.broadcast_id}
          restream={restream}
          mayEdit={mayEdit}
        />
      ))}
    </RowList>
  )
}

interface LineProps {
  readonly projectId: number
  readonly broadcastId: number
  readonly restream: Restream
  readonly mayEdit: boolean
}

/** One of them: how it is, why, and when it is tried again. */
function ChannelLine({ projectId, broadcastId, restream, mayEdit }: LineProps) {
  const { t } = useTranslation('home', { keyPrefix: 'channels' })
  const platformOf = usePlatform()
  const whyOf = useWhy()
  const failure = useFailureText()
  const retry = useWrite(broadcasts.retry)
  const { channel_id, name, type, state = 'idle', reason, words, next_retry, attempt = 0, reconnects = 0 } = restream
  const platform = platformOf(type)
  const why = whyOf(reason, words)
  const isWaiting = state === 'backoff' || state === 'rejected'
  return (
    <Row
      lead={<PlatformIcon type={platform.type} />}
      title={channel_id === undefined ? name : <Link to={paths.channel(projectId, channel_id)}>{name}</Link>}
      about={[platform.title, reconnects > 0 && t('reconnects', { count: reconnects })].filter(Boolean).join(' · ')}
      actions={
        <>
          <RestreamBadge state={state} />
          {isWaiting && mayEdit && channel_id !== undefined && (
            <Button
              look="outline"
              isBusy={retry.isPending}
              aria-label={t('retryOne', { name })}
              onClick={() => retry.mutate({ project_id: projectId, broadcast_id: broadcastId, channel_id })}
            >
              {t('retry')}
            </Button>
          )}
        </>
      }
    >
      {(why || next_retry || retry.error) && (
        <p className={styles.why}>
          {why}{' '}
          {next_retry && (
            <Countdown until={next_retry} text={(seconds) => t('nextRetry', { seconds, attempt: attempt + 1 })} />
          )}
          {retry.error && <span role="alert"> {failure(retry.error)}</span>}
        </p>
      )}
    </Row>
  )
}

import { useTranslation } from 'react-i18next'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { Restream } from '#contract/entities/on-air.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { useWrite } from '#src/api/query.ts'
import { Countdown } from '#src/areas/broadcasts/elapsed.tsx'
import { useWhy } from '#src/areas/broadcasts/use-event-words.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Button } from '#src/ui/button.tsx'
import styles from '#src/app/home/home.module.css'
import { LeftOut } from './left-out.tsx'

interface Props {
  readonly projectId: number
  readonly broadcastId: number
  readonly channel: Channel | undefined
  readonly restream: Restream | undefined
  readonly isPaused: boolean
  readonly mayRetry: boolean
  /** The last known state: no countdown. */
  readonly isStale: boolean
  /** The refusal of the switch. */
  readonly refusal: Error | null
}

/** Reason that a channel does not receive the stream, with actions for the user. Renders nothing without a problem. */
export function ChannelTrouble(props: Props) {
  const { projectId, broadcastId, channel, restream, isPaused, mayRetry, isStale, refusal } = props
  const { t } = useTranslation('home', { keyPrefix: 'channels' })
  const { gap } = usePunctuation()
  const whyOf = useWhy()
  const failure = useFailureText()
  const retry = useWrite(broadcasts.retry)
  const { channel_id, name, state, reason, words, next_retry, attempt = 0 } = restream ?? {}
  const why = whyOf(reason, words)
  const isWaiting = state === 'backoff' || state === 'rejected'
  const isLeftOut = restream === undefined && !isPaused && channel?.active === true
  const problem = retry.error ?? refusal
  if (!why && !next_retry && !problem && !isWaiting && !isLeftOut) return null
  return (
    <div className={styles.trouble}>
      <p className={styles.why}>
        {isLeftOut && <LeftOut projectId={projectId} />}
        {why}
        {gap}
        {next_retry && !isStale && (
          <Countdown until={next_retry} text={(seconds) => t('nextRetry', { seconds, attempt: attempt + 1 })} />
        )}
        {problem && <span role="alert"> {failure(problem)}</span>}
      </p>
      <ReasonHelp restream={restream} />
      {isWaiting && mayRetry && channel_id !== undefined && (
        <Button
          look="outline"
          isBusy={retry.isPending}
          aria-label={t('retryOne', { name })}
          onClick={() => retry.mutate({ project_id: projectId, broadcast_id: broadcastId, channel_id })}
        >
          {t('retry')}
        </Button>
      )}
    </div>
  )
}

/** Link to the reason in the article about failures. */
function ReasonHelp({ restream }: Pick<Props, 'restream'>) {
  const isFailure = Boolean(restream?.reason) || restream?.state === 'backoff' || restream?.state === 'rejected'
  return isFailure && <HelpLinkLater article="trouble/channel-failed" anchor={restream?.reason ?? undefined} />
}

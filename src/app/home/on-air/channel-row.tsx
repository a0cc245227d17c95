import { IconExternalLink } from '@tabler/icons-react'
import { memo, type ReactNode, use, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { PlatformType } from '#contract/platforms/platforms.ts'
import type { FillKind, Restream } from '#contract/entities/on-air.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { RestreamBadge } from '#src/areas/broadcasts/restream-badge.tsx'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { paths } from '#src/lib/paths.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button, iconButtonClass } from '#src/ui/button.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { identityOf } from './channel-lines.ts'
import styles from '#src/app/home/home.module.css'
import { rightCan } from '#contract/entities/roles.ts'
import { useSwitch } from '#src/areas/channels/use-switch.ts'
import { Switch } from '#src/ui/switch.tsx'
import { Countdown, Elapsed } from '#src/areas/broadcasts/elapsed.tsx'
import { Ticking } from '#src/components/ticking.tsx'
import { inPause, sightText } from '#src/lib/air-texts.ts'
import { formatBitrate, formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { LiveFiguresContext } from './live-figures.ts'
import { rateOf } from './rates.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useWhy } from '#src/areas/broadcasts/use-event-words.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useQuery } from '@tanstack/react-query'
import { channels } from '#contract/areas/channels/channels.ts'
import { restream as plans } from '#contract/areas/tariffs/restream.ts'

interface Props {
  readonly projectId: number
  readonly broadcastId: number
  readonly channel: Channel | undefined
  readonly platform: PlatformType
  readonly platformTitle: string
  /** Details beside the stream are loading. */
  readonly isWaiting: boolean
  readonly restream: Restream | undefined
  /** No channel receives the stream. */
  readonly isPaused: boolean
  /** What channels receive in the place of the encoder; null: its stream, or nothing in a pause. */
  readonly fill: FillKind | null
  readonly mayEdit: boolean
  /** The last known state, which may be out of date. */
  readonly isStale: boolean
  /** Called with the channel's id before it is switched. */
  readonly onSwitch: (channelId: number) => void
}

const waiting = <span className={styles.waiting} aria-hidden />

/** One channel: state, figures, problem, next retry, and its switch. */
export const ChannelRow = memo(function ChannelRow(props: Props) {
  const { projectId, broadcastId, channel, platform, platformTitle, isWaiting, isPaused, mayEdit, isStale, onSwitch } =
    props
  const restream = isPaused && props.restream ? inPause(props.restream) : props.restream
  const [refusal, setRefusal] = useState<Error | null>(null)
  const { name, channelId, page } = identityOf(channel, restream)
  const isOn = channel?.active ?? true
  return (
    <Row
      name={String(channelId ?? restream?.id)}
      lead={<PlatformIcon type={platform} />}
      title={channelId === undefined ? name : <Link to={paths.channel(projectId, channelId)}>{name}</Link>}
      about={
        <>
          {platformTitle}
          {restream && !isStale && <ChannelFigures restream={restream} platform={platformTitle} />}
        </>
      }
      actions={
        <>
          <State {...{ restream, isOn, isPaused, fill: props.fill, isStale }} />
          <span className={styles.page}>
            <PlatformPage name={name} address={page} />
          </span>
          {isWaiting && waiting}
          {channel && (
            <ChannelSwitch
              projectId={projectId}
              channel={channel}
              name={name}
              onSwitch={onSwitch}
              onRefused={setRefusal}
            />
          )}
        </>
      }
    >
      {!isStale && restream && <DarkNote restream={restream} platform={platformTitle} />}
      <ChannelTrouble
        isPaused={isPaused}
        projectId={projectId}
        broadcastId={broadcastId}
        channel={channel}
        restream={restream}
        mayRetry={mayEdit && !isPaused}
        isStale={isStale}
        refusal={refusal}
      />
    </Row>
  )
})

interface StateProps extends Pick<Props, 'restream' | 'isPaused' | 'fill' | 'isStale'> {
  readonly isOn: boolean
}

function State({ restream, isOn, isPaused, fill, isStale }: StateProps) {
  const { t } = useTranslation('home', { keyPrefix: 'channels' })
  if (fill && !isStale && restream?.state === 'live') return <Badge tone="warn">{t(`fill.${fill}`)}</Badge>
  if (restream || (isOn && isPaused)) return <RestreamBadge state={restream?.state ?? 'idle'} isLastKnown={isStale} />
  return <Badge tone={isOn ? 'warn' : 'neutral'}>{t(isOn ? 'notSent' : 'isOff')}</Badge>
}

/** Link to its page at the platform, if known. */
function PlatformPage({ name, address }: { readonly name: string; readonly address: string | undefined }) {
  const { t } = useTranslation('home', { keyPrefix: 'channels' })
  if (!address || !/^https?:/.test(address)) return null
  return (
    <a
      className={`${iconButtonClass} ${styles.out}`}
      href={address}
      target="_blank"
      rel="noreferrer"
      title={t('page', { name })}
      aria-label={t('page', { name })}
    >
      <IconExternalLink size={18} aria-hidden />
    </a>
  )
}

interface ChannelSwitchProps {
  readonly projectId: number
  readonly channel: Channel
  readonly name: string
  readonly onSwitch: (channelId: number) => void
  readonly onRefused: (refusal: Error | null) => void
}

/** Switches a channel on or off. */
function ChannelSwitch({ projectId, channel, name, onSwitch, onRefused }: ChannelSwitchProps) {
  const { t } = useTranslation('home', { keyPrefix: 'channels' })
  const { mutate, isPending, error } = useSwitch(projectId)
  useEffect(() => onRefused(error), [error, onRefused])
  const maySwitch = rightCan(channel.access_type, 'editor')
  const off = maySwitch ? undefined : t('viewer')
  return (
    <Switch
      label={t('switch', { name })}
      isLabelHidden
      isOn={channel.active}
      isBusy={isPending}
      off={off}
      onChange={(status) => {
        onSwitch(channel.group_id)
        mutate({ channel_id: channel.group_id, status, project_id: projectId })
      }}
    />
  )
}

interface ChannelFiguresProps {
  readonly restream: Restream
  /** Title of the platform. */
  readonly platform: string
}

/** Duration, amount sent, and errors of a channel. */
function ChannelFigures({ restream, platform }: ChannelFiguresProps) {
  const { t } = useTranslation('home', { keyPrefix: 'channels' })
  const language = useLanguage()
  const { state, since, viewers, seen, dropped = 0, reconnects = 0, smaller = false } = restream
  const isSending = state === 'live' || state === 'degraded'
  return (
    <>
      {isSending && since && (
        <Figure>
          {t('liveFor')} <Elapsed since={since} />
        </Figure>
      )}
      {isSending && <Rate id={restream.id} />}
      {smaller && <Figure>{t('smaller')}</Figure>}
      {isSending && seen?.state === 'seen' && <Figure>{t('seen.seen', { platform })}</Figure>}
      {typeof viewers === 'number' && <Figure>{t('viewers', { count: viewers })}</Figure>}
      {dropped > 0 && <Figure>{t('dropped', { count: dropped, shown: formatNumber(dropped, language) })}</Figure>}
      {reconnects > 0 && <Figure>{t('reconnects', { count: reconnects })}</Figure>}
    </>
  )
}

/** The platform does not show the broadcast, in a sentence; an unknown state is no trouble. */
function DarkNote({ restream, platform }: ChannelFiguresProps) {
  const { t } = useTranslation('home', { keyPrefix: 'channels' })
  const { stop } = usePunctuation()
  const dark = sightText((key, values) => t(key, values), restream, platform, stop)
  if (dark === null) return null
  return (
    <div className={styles.trouble}>
      <p className={styles.why}>{dark}</p>
      <HelpLinkLater article="trouble/platform-view" />
    </div>
  )
}

function Rate({ id }: { readonly id: number }) {
  const language = useLanguage()
  const textOf = (kbps: number | null) => (kbps === null ? '–' : formatBitrate(kbps, language))
  return (
    <Figure isWide>
      <Ticking source={use(LiveFiguresContext)} text={({ sent }) => textOf(rateOf(sent, id))} />
    </Figure>
  )
}

interface FigureProps {
  /** Reserves its space while the value is unknown. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** Does not wrap. */
function Figure({ isWide = false, children }: FigureProps) {
  return (
    <>
      {' · '}
      <span className={styles.figure} data-wide={isWide || undefined}>
        {children}
      </span>
    </>
  )
}

interface ChannelTroubleProps {
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
function ChannelTrouble(props: ChannelTroubleProps) {
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
function ReasonHelp({ restream }: Pick<ChannelTroubleProps, 'restream'>) {
  const isFailure = Boolean(restream?.reason) || restream?.state === 'backoff' || restream?.state === 'rejected'
  return isFailure && <HelpLinkLater article="trouble/channel-failed" anchor={restream?.reason ?? undefined} />
}

interface LeftOutProps {
  readonly projectId: number
}

/** An active channel that is not on air: more are active than the tariff allows, or it is queued. */
function LeftOut({ projectId }: LeftOutProps) {
  const { t } = useTranslation('home', { keyPrefix: 'channels' })
  const max = useQuery(q(plans.slots, { project_id: projectId })).data?.current?.channel_max
  const list = useQuery(q(channels.search, { project_id: projectId, limit: 100 })).data
  const count = list?.results.filter(({ active }) => active).length
  if (typeof max !== 'number' || count === undefined || count <= max) return t('notLive.soon')
  return (
    <>
      {t('notLive.tariff', { max, on: count })} <Link to={paths.tariffs(projectId)}>{t('tariffs')}</Link>
    </>
  )
}

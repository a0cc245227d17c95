import { IconExternalLink } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { PlatformType } from '#contract/entities/platform-types.ts'
import type { Restream } from '#contract/entities/on-air.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { RestreamBadge } from '#src/areas/broadcasts/restream-badge.tsx'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { paths } from '#src/lib/paths.ts'
import { Badge } from '#src/ui/badge.tsx'
import { iconButtonClass } from '#src/ui/button.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { ChannelFigures } from './channel-figures.tsx'
import { identityOf } from './channel-lines.ts'
import { ChannelSwitch } from './channel-switch.tsx'
import { ChannelTrouble } from './channel-trouble.tsx'
import styles from '#src/app/home/home.module.css'

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
  const restream = isPaused ? held(props.restream) : props.restream
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
          {restream && !isStale && <ChannelFigures restream={restream} />}
        </>
      }
      actions={
        <>
          <State {...{ restream, isOn, isPaused, isStale }} />
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

/** In a pause a connected platform receives no data, and a failed one gets no attempt: both wait. */
const held = (restream: Restream | undefined): Restream | undefined =>
  restream && heldStates.has(restream.state) ? { ...restream, state: 'idle' } : restream
const heldStates: ReadonlySet<Restream['state']> = new Set(['live', 'degraded', 'backoff'])

interface StateProps extends Pick<Props, 'restream' | 'isPaused' | 'isStale'> {
  readonly isOn: boolean
}

function State({ restream, isOn, isPaused, isStale }: StateProps) {
  const { t } = useTranslation('home', { keyPrefix: 'channels' })
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

import { useQuery } from '@tanstack/react-query'
import {
  type FocusEvent,
  lazy,
  memo,
  type PointerEvent,
  Suspense,
  useCallback,
  useDeferredValue,
  useState,
} from 'react'
import { channels } from '#contract/areas/channels/channels.ts'
import type { Output } from '#contract/core/operation.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import { q, useWrite } from '#src/api/query.ts'
import { Deferred } from '#src/components/deferred.tsx'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { dayMs, formatBitrate } from '#src/lib/format.ts'
import { EventsCard } from '#src/app/home/feed/events-card.tsx'
import { type Health, healthOf } from './health.ts'
import styles from '#src/app/home/home.module.css'
import { LivePicture } from './live-picture.tsx'
import picture from './picture.module.css'
import { PlanEndNote } from './plan-end-note.tsx'
import { LiveFiguresContext, useLiveFigures } from './live-figures.ts'
import { SignalCard } from './signal-card.tsx'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { platformNamed } from '#src/components/use-platform.ts'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { type ChannelLine, identityOf, linesOf } from './channel-lines.ts'
import { ChannelRow } from './channel-row.tsx'
import {
  IconBroadcast,
  IconGauge,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlugConnectedX,
} from '@tabler/icons-react'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { Countdown, Elapsed } from '#src/areas/broadcasts/elapsed.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { AirButton } from './air-button.tsx'
import { formatDuration } from '#src/lib/duration.ts'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'

interface AirHeadProps extends Health, Pick<OnAir, 'status' | 'action' | 'broadcast_id' | 'date_start' | 'date_close'> {
  readonly projectId: number
  /** Null while unknown: space for the buttons is reserved, so that nothing moves when they appear. */
  readonly mayEdit: boolean | null
  readonly isStale: boolean
}

const badges = {
  active: ['title', IconBroadcast],
  pause: ['paused', IconPlayerPause],
  lost: ['lost', IconPlugConnectedX],
} as const

/** Heading of the broadcast in large type: state, duration and health. */
const AirHead = memo(function AirHead(props: AirHeadProps) {
  const { t } = useTranslation(['home', 'live'])
  const { projectId, broadcast_id: broadcastId, state, live, count, mayEdit, isStale } = props
  const [title, Icon] = badges[props.status]
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

interface BitrateNoteProps extends Pick<OnAir, 'bitrate_state' | 'bitrate_max' | 'bitrate_judged'> {
  readonly projectId: number
}

/**
 * Warns that the bitrate exceeds the tariff: by how much, with its effect and the remedy. Renders nothing below the
 * limit.
 * The `Announcer` announces it once: the number changes each second.
 */
const BitrateNote = memo(function BitrateNote(props: BitrateNoteProps) {
  const { projectId, bitrate_state: state, bitrate_max: max, bitrate_judged: judged } = props
  const { t } = useTranslation('on-air-later', { keyPrefix: 'bitrate' })
  const language = useLanguage()
  const { gap } = usePunctuation()
  if (!state || state === 'fine' || !max) return null
  return (
    <section className={styles.note} aria-labelledby="bitrate" data-state={state}>
      <IconGauge size={24} aria-hidden />
      <div className={styles.words}>
        <h3 id="bitrate">{t(`${state}.title`)}</h3>
        <p>
          {t(`${state}.text`) + gap + t('todo')} <Link to={paths.tariffs(projectId)}>{t('tariffs')}</Link>
        </p>
      </div>
      <dl className={styles.figures}>
        {judged ? (
          <div>
            <dt>{t('measured')}</dt>
            <dd>{formatBitrate(judged, language)}</dd>
          </div>
        ) : null}
        <div>
          <dt>{t('limit')}</dt>
          <dd>{formatBitrate(max, language)}</dd>
        </div>
      </dl>
    </section>
  )
})

const none: ReadonlySet<number> = new Set()

/**
 * Keeps a channel's row in place after it is switched off, until pointer and focus leave the list: otherwise the next
 * switch would move under the pointer.
 */
function useKeptRows() {
  const [kept, setKept] = useState(none)
  const hold = useCallback((channelId: number) => setKept((known) => new Set([...known, channelId])), [])
  const release = () => setKept(none)
  const frame = {
    onPointerLeave: ({ currentTarget, pointerType }: PointerEvent<HTMLElement>) => {
      // A finger leaves with every tap, but its focus stays.
      if (pointerType === 'mouse' || !currentTarget.contains(document.activeElement)) release()
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
      if (!currentTarget.contains(relatedTarget) && !currentTarget.matches(':hover')) release()
    },
  }
  return { kept, hold, frame }
}

interface ChannelsCardProps {
  readonly projectId: number
  readonly onAir: OnAir
  readonly mayEdit: boolean | null
  readonly isStale: boolean
}

/** Channels that receive the broadcast, and below them those that are off. */
function ChannelsCard({ projectId, onAir, mayEdit, isStale }: ChannelsCardProps) {
  const { t } = useTranslation('home')
  // The status contains the channels on air; the list adds switches and the channels that are off.
  const list = useQuery(q(channels.search, { project_id: projectId, limit: 100 }))
  // Every row changes: rendered in slices.
  const data = useDeferredValue(list.data)
  const isWaiting = data === undefined && !list.isError
  const { kept, hold, frame } = useKeptRows()
  const { on, off } = linesOf(data?.results ?? [], onAir.restreams, kept)
  // One subscription for all rows.
  const row = ({ key, channel, restream }: ChannelLine) => {
    const platform = platformNamed(identityOf(channel, restream).type)
    return (
      <ChannelRow
        key={key}
        projectId={projectId}
        broadcastId={onAir.broadcast_id}
        channel={channel}
        platform={platform.type}
        platformTitle={platform.title}
        isWaiting={isWaiting}
        restream={restream}
        isPaused={onAir.status === 'pause'}
        mayEdit={mayEdit ?? false}
        isStale={isStale}
        onSwitch={hold}
      />
    )
  }
  return (
    <Card title={t('channels.title')} actions={<Link to={paths.channels(projectId)}>{t('channels.all')}</Link>}>
      <div {...frame}>
        {on.length === 0 &&
          (isWaiting ? <Skeleton height={64} /> : <p className={styles.text}>{t('channels.none')}</p>)}
        {on.length > 0 && <RowList label={t('channels.title')}>{on.map(row)}</RowList>}
        {off.length > 0 ? (
          <details className={styles.off} open={on.length === 0}>
            <summary>{t('channels.off', { count: off.length })}</summary>
            <RowList label={t('channels.offTitle')}>{off.map(row)}</RowList>
          </details>
        ) : (
          <div className={styles.offRoom} />
        )}
      </div>
    </Card>
  )
}

const Chat = lazy(() => import('#src/areas/chat/home-chat.tsx'))

interface Props {
  readonly projectId: number
  readonly onAir: OnAir
  /** The last known state, which may be out of date. */
  readonly isStale: boolean
}

const idsOfActive = ({ results }: Output<typeof channels.search>): readonly number[] =>
  results.filter(({ active }) => active).map(({ group_id }) => group_id)

/** The running broadcast. Each part selects its own data and renders only when that changes. */
export function OnAirPart({ projectId, onAir, isStale }: Props) {
  const mayEdit = useMayEdit(projectId, null)
  const { status, action, broadcast_id, date_start, date_close, restreams } = onAir
  const list = useQuery({ ...q(channels.search, { project_id: projectId, limit: 100 }), select: idsOfActive })
  const { bitrate_state, bitrate_max, bitrate_judged } = onAir
  return (
    <LiveFiguresContext value={useLiveFigures(projectId)}>
      <AirHead
        {...{ projectId, status, action, broadcast_id, date_start, date_close, mayEdit, isStale }}
        {...healthOf({ status, restreams }, list.data)}
      />
      {/* Notes with texts of their own: the rest of the page does not wait for them. */}
      <Suspense>
        {!isStale && bitrate_state !== undefined && bitrate_state !== 'fine' && (
          <BitrateNote {...{ projectId, bitrate_state, bitrate_max, bitrate_judged }} />
        )}
        <PlanEndNote projectId={projectId} aheadMs={dayMs} />
      </Suspense>
      <div className={styles.room} data-stale={isStale || undefined}>
        <div className={styles.side}>
          <ChannelsCard {...{ projectId, onAir, mayEdit, isStale }} />
          <EventsCard projectId={projectId} onAir={onAir} />
        </div>
        <div className={styles.side}>
          <Deferred room={<div className={picture.picture} aria-hidden />}>
            <LivePicture projectId={projectId} />
          </Deferred>
          <SignalCard projectId={projectId} onAir={onAir} />
          <Deferred room={<i />}>
            <Chat projectId={projectId} />
          </Deferred>
        </div>
      </div>
    </LiveFiguresContext>
  )
}

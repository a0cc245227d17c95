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
import type { OnAir, Verdict, VerdictKind } from '#contract/entities/on-air.ts'
import { q, useWrite } from '#src/api/query.ts'
import { Deferred } from '#src/components/deferred.tsx'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { dayMs } from '#src/lib/format.ts'
import { EventsCard } from '#src/app/home/feed/events-card.tsx'
import { fillOf, type Health, healthKey, healthOf, slateOf } from '#src/lib/health.ts'
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
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Card } from '#src/ui/card.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { type ChannelLine, identityOf, linesOf } from './channel-lines.ts'
import { ChannelRow } from './channel-row.tsx'
import { IconBroadcast, IconPlayerPause, IconPlayerPlay, IconPlayerStop, IconPlugConnectedX } from '@tabler/icons-react'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { Countdown } from '#src/areas/broadcasts/elapsed.tsx'
import { TimeOnAir } from '#src/areas/broadcasts/time-on-air.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { AirButton } from './air-button.tsx'
import { formatDuration } from '#src/lib/duration.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'

type HeadFacts = Pick<
  OnAir,
  'status' | 'action' | 'broadcast_id' | 'date_start' | 'away' | 'date_lost' | 'date_close' | 'fill' | 'backup'
>

interface AirHeadProps extends Health, HeadFacts {
  readonly projectId: number
  readonly level: Verdict['level'] | undefined
  /** The encoder ended the stream itself. */
  readonly isHeld: boolean
  /** Scheduled video that is on air. */
  readonly scheduled: string | undefined
  /** Null while unknown: space for the buttons is reserved, so that nothing moves when they appear. */
  readonly mayEdit: boolean | null
  readonly isStale: boolean
}

const badges = {
  active: ['title', IconBroadcast],
  pause: ['paused', IconPlayerPause],
  lost: ['lost', IconPlugConnectedX],
  held: ['held', IconPlayerStop],
} as const

type HealthFacts = 'state' | 'live' | 'count' | 'scheduled' | 'fill' | 'backup' | 'isHeld' | 'isStale' | 'date_close'

/** Sentence about the channels, about what they receive in the place of the encoder, and about a backup encoder. */
function HealthLine(props: Pick<AirHeadProps, HealthFacts>) {
  const { t } = useTranslation(['home', 'live'])
  const { state, live, count, isHeld, isStale } = props
  const { gap } = usePunctuation()
  const slate = slateOf(props)
  const isScheduled = props.scheduled !== undefined
  /** In a pause the sentence about it names the schedule. */
  const scheduled = state === 'paused' ? undefined : props.scheduled
  const key = healthKey(state, { slate, isHeld, isScheduled })
  const health = t(`health.${key}`, { live, count, name: props.scheduled ?? '' })
  /** Counts of channels have no full stop. */
  const isSentence = state === 'lost' || /[.。…]$/.test(health)
  return (
    <p className={styles.health}>
      {isStale ? (
        t('live:lastKnown', { word: health })
      ) : props.date_close && state === 'lost' ? (
        <Countdown
          until={props.date_close}
          text={(seconds) => t(isHeld ? 'health.heldFor' : 'health.lostFor', { left: formatDuration(seconds * 1000) })}
        />
      ) : (
        health
      )}
      {!isStale && state === 'lost' && slate && gap + t(`health.${slate}`)}
      {!isStale && scheduled && `${isSentence ? gap : ' · '}${t('health.scheduled', { name: scheduled })}`}
      {!isStale && props.backup && `${isSentence || scheduled ? gap : ' · '}${t(`health.backup.${props.backup}`)}`}
    </p>
  )
}

/** Heading of the broadcast in large type: state, duration and health. */
const AirHead = memo(function AirHead(props: AirHeadProps) {
  const { t } = useTranslation(['home', 'live'])
  const { projectId, broadcast_id: broadcastId, state, mayEdit, isStale, isHeld } = props
  const [title, Icon] = badges[isHeld ? 'held' : props.status]
  const isPaused = props.action === 'stopped'
  const pause = useWrite(isPaused ? broadcasts.play : broadcasts.pause)
  const end = useWrite(broadcasts.stop)
  const failure = useFailureText()
  return (
    <section className={styles.head} data-health={state} data-stale={isStale || undefined} aria-labelledby="air">
      <div className={styles.state}>
        <span className={styles.sign} aria-hidden>
          <Icon size={24} />
        </span>
        <h2 id="air">{t(`onAir.${title}`)}</h2>
        {!isStale && (
          <span className={styles.time}>
            <TimeOnAir from={props.date_start} to={props.date_lost ?? null} away={props.away} />
          </span>
        )}
        {!isStale && props.status === 'active' && <LevelBadge level={props.level} />}
      </div>
      <HealthLine {...props} />
      {mayEdit !== false && (
        <div className={styles.actions}>
          {mayEdit && (
            <>
              {isHeld ? (
                <AirButton write={end} projectId={projectId} broadcastId={broadcastId}>
                  <IconPlayerStop size={18} aria-hidden />
                  {t('health.end')}
                </AirButton>
              ) : (
                <>
                  <AirButton write={pause} projectId={projectId} broadcastId={broadcastId}>
                    {isPaused ? <IconPlayerPlay size={18} aria-hidden /> : <IconPlayerPause size={18} aria-hidden />}
                    {t(isPaused ? 'pause.resume' : 'pause.button')}
                  </AirButton>
                  <StopButton projectId={projectId} broadcastId={broadcastId} />
                </>
              )}
            </>
          )}
        </div>
      )}
      <div role="alert" className={styles.refused}>
        {(pause.error ?? end.error) && <p>{failure(pause.error ?? end.error)}</p>}
      </div>
    </section>
  )
})

const tones = { unknown: 'neutral', good: 'ok', warning: 'warn', problem: 'warn' } as const

function LevelBadge({ level }: { readonly level: Verdict['level'] | undefined }) {
  const { t } = useTranslation('home')
  return level && <Badge tone={tones[level]}>{t(`verdict.${level}`)}</Badge>
}

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
        isPaused={onAir.status === 'pause' && !slateOf(onAir)}
        fill={fillOf(onAir)}
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
          (isWaiting ? (
            <Skeleton height={64} />
          ) : (
            <p className={styles.text}>{t(onAir.kind === 'scheduler' ? 'channels.noneScheduled' : 'channels.none')}</p>
          ))}
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

/** Reasons that the head and the rows of the channels show. */
const shownInHead: readonly VerdictKind[] = ['lost', 'held', 'channels_down', 'channels_some']
const VerdictNote = lazy(async () => ({
  default: (await import('#src/areas/broadcasts/verdict-note.tsx')).VerdictNote,
}))

/** The running broadcast. Each part selects its own data and renders only when that changes. */
export function OnAirPart({ projectId, onAir, isStale }: Props) {
  const mayEdit = useMayEdit(projectId, null)
  const { status, action, broadcast_id, date_start, away, date_lost, date_close, fill, backup, restreams } = onAir
  const { verdict } = onAir
  const isHeld = verdict?.reasons.some(({ kind }) => kind === 'held') ?? false
  const list = useQuery({ ...q(channels.search, { project_id: projectId, limit: 100 }), select: idsOfActive })
  // Ends with the render of the list.
  const isWaiting = useDeferredValue(list.isPending)
  return (
    <LiveFiguresContext value={useLiveFigures(projectId)}>
      <AirHead
        {...{
          projectId,
          status,
          action,
          broadcast_id,
          date_start,
          away,
          date_lost,
          date_close,
          fill,
          backup,
          mayEdit,
          isStale,
          isHeld,
        }}
        scheduled={onAir.kind === 'scheduler' ? onAir.name : undefined}
        level={verdict?.level}
        {...healthOf({ status, restreams }, list.data)}
      />
      {/* Notes with texts of their own: the rest of the page does not wait for them. */}
      <Suspense>
        {!isStale && verdict && <VerdictNote projectId={projectId} verdict={verdict} without={shownInHead} />}
        <PlanEndNote projectId={projectId} aheadMs={dayMs} />
      </Suspense>
      <div className={styles.room} data-stale={isStale || undefined} data-waiting={isWaiting || undefined}>
        <div className={styles.side}>
          <ChannelsCard {...{ projectId, onAir, mayEdit, isStale }} />
          <Deferred room={<i />}>
            <Chat projectId={projectId} />
          </Deferred>
        </div>
        <div className={styles.side}>
          <Deferred room={<div className={picture.picture} aria-hidden />}>
            <LivePicture projectId={projectId} isFrozen={status === 'lost' && !slateOf(onAir)} />
          </Deferred>
          <SignalCard projectId={projectId} onAir={onAir} />
          <EventsCard projectId={projectId} onAir={onAir} />
        </div>
      </div>
    </LiveFiguresContext>
  )
}

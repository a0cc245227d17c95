import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useSettled } from '#src/api/settled.ts'
import { BroadcastLine } from '#src/areas/broadcasts/broadcast-line.tsx'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { paths } from '#src/lib/paths.ts'
import { dayMs } from '#src/lib/format.ts'
import { Card } from '#src/ui/card.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { PlanEndNote } from '#src/app/home/on-air/plan-end-note.tsx'
import { ProjectCards } from './project-cards.tsx'
import type { BroadcastEvent } from '#contract/entities/broadcast.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Note } from '#src/ui/note.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { AirButton } from '#src/app/home/on-air/air-button.tsx'
import styles from './off-air.module.css'
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { channels } from '#contract/areas/channels/channels.ts'
import { type IngestServer, rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { bestServer, encoderAddress } from '#src/areas/ingest/addresses.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { channelsStep, encoderStep } from './check-steps.ts'
import { Guide } from './guide.tsx'
import { ServerNote } from '#src/components/no-servers.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { CopyButton } from '#src/ui/copy-button.tsx'

const ScheduleLine = lazy(async () => ({
  default: (await import('#src/areas/broadcasts/schedule-line.tsx')).ScheduleLine,
}))

/** The next broadcast begins within this time, milliseconds. */
const startMs = 10_000
const recentMs = 600_000
const isRecent = (at: string | null) => at !== null && Date.now() - Date.parse(at) < recentMs

interface Props {
  readonly projectId: number
  /** The stopped broadcast with an encoder that still sends. */
  readonly stoppedId: number | undefined
}

/** Home page while off air: the guide until the first broadcast, then the checklist and the last broadcast. */
export function OffAir({ projectId, stoppedId }: Props) {
  const { t } = useTranslation('off-air')
  const mayEdit = useMayEdit(projectId)
  const isSettled = useSettled()
  const last = useQuery(q(broadcasts.list, { project_id: projectId, limit: 1, order: 'desc' })).data
  const row = last?.results[0]
  const hasStreamed = last ? last.total > 0 : undefined
  const all = useQuery(q(channels.search, { project_id: projectId, limit: 100 })).data
  const ask = q(rtmpServers.list, { project_id: projectId, interval: 1 })
  const list = useQuery({ ...ask, refetchInterval: 30_000 }).data
  const server = list && bestServer(list.results, new Map())
  const [startingId, setStartingId] = useState<number>()
  // An encoder that has disconnected meanwhile starts no broadcast.
  useEffect(() => {
    if (startingId === undefined) return
    const timer = setTimeout(() => setStartingId(undefined), startMs)
    return () => clearTimeout(timer)
  }, [startingId])
  const heldId = stoppedId ?? startingId
  if (hasStreamed === undefined || all === undefined) return <Skeleton height={280} />
  const isFirst = !hasStreamed
  return (
    <>
      {heldId !== undefined && (
        <HeldNote
          {...{ projectId, mayEdit }}
          broadcastId={heldId}
          isStarting={heldId === startingId}
          onStart={() => setStartingId(heldId)}
        />
      )}
      {row && isRecent(row.finish_at) && <EndedFor projectId={projectId} broadcastId={row.id} />}
      {list && <ServerNote server={server} reason={list.reason} ports={list.ports} isForOperator />}
      <PlanEndNote projectId={projectId} aheadMs={7 * dayMs} />
      {isFirst ? (
        <Guide {...{ projectId, mayEdit, server }} channels={all} />
      ) : (
        <>
          <CheckList projectId={projectId} hasStreamed={hasStreamed} isHeld={heldId !== undefined} server={server} />
        </>
      )}
      {isSettled && (
        <Suspense>
          <ScheduleLine projectId={projectId} />
        </Suspense>
      )}
      {row && (
        <Card title={t('last.title')} actions={<Link to={paths.broadcasts(projectId)}>{t('last.all')}</Link>}>
          <RowList label={t('last.title')}>
            <BroadcastLine projectId={projectId} row={row} />
          </RowList>
        </Card>
      )}
      {!isFirst && <ProjectCards projectId={projectId} />}
    </>
  )
}

interface EndedForProps {
  readonly projectId: number
  readonly broadcastId: number
}

/** Reason that the last broadcast ended, if its bitrate exceeded the tariff; nothing otherwise. */
function EndedFor({ projectId, broadcastId }: EndedForProps) {
  const { t } = useTranslation('on-air-later', { keyPrefix: 'bitrate' })
  const { gap } = usePunctuation()
  const { data } = useQuery(q(broadcasts.events, { project_id: projectId, broadcast_id: broadcastId, limit: 50 }))
  const words = data && endedForBitrate(data.results)
  if (words === undefined) return null
  return (
    <Note tone="warn">
      {t('last', { words }) + gap + t('todo')} <Link to={paths.tariffs(projectId)}>{t('tariffs')}</Link>
    </Note>
  )
}

/**
 * Finds a final disconnection for bitrate.
 * @param events newest first
 * @returns the bitrates of the refusal; undefined for any other end
 */
function endedForBitrate(events: readonly BroadcastEvent[]): string | undefined {
  const last = events.find(({ kind }) => ['source-lost', 'source-back', 'backup-on'].includes(kind))
  if (last?.kind !== 'source-lost' || last.reason !== 'bitrate') return undefined
  return events.find(({ kind }) => kind === 'bitrate-refused')?.words ?? ''
}

interface HeldNoteProps {
  readonly projectId: number
  /** The stopped broadcast. */
  readonly broadcastId: number
  readonly mayEdit: boolean
  /** The encoder was put on air again, and the next broadcast has not begun. */
  readonly isStarting: boolean
  readonly onStart: () => void
}

/**
 * Notice that the encoder of a stopped broadcast still sends: its stream is not distributed until you go live again.
 */
function HeldNote({ projectId, broadcastId, mayEdit, isStarting, onStart }: HeldNoteProps) {
  const { t } = useTranslation('off-air', { keyPrefix: 'held' })
  const play = useWrite(broadcasts.play, { onSuccess: onStart })
  const failure = useFailureText()
  if (isStarting) return <Note>{t('starting')}</Note>
  return (
    <Note tone="warn">
      <span className={styles.held}>
        {t('text')}
        {mayEdit && (
          <AirButton write={play} projectId={projectId} broadcastId={broadcastId}>
            {t('button')}
          </AirButton>
        )}
        {play.error && <span role="alert">{failure(play.error)}</span>}
      </span>
    </Note>
  )
}

interface CheckListProps {
  readonly projectId: number
  /** The project has been on air before, with an encoder or by a schedule. */
  readonly hasStreamed: boolean
  readonly server: IngestServer | undefined
  /** The broadcast was stopped and its encoder still sends: starting the encoder would not help. */
  readonly isHeld: boolean
}

/** Checklist before going live, each step with its action. A step is done only on evidence. */
function CheckList({ projectId, hasStreamed, isHeld, server }: CheckListProps) {
  const { t } = useTranslation('off-air')
  const project_id = projectId
  const { hasPlans } = useInstallation()
  const [copied, setCopied] = useState<readonly ('address' | 'key')[]>([])
  const on = useQuery(q(channels.search, { project_id, type: 'active', limit: 100 })).data
  const max = useQuery(q(restream.slots, { project_id })).data?.current?.channel_max
  const count = on?.total ?? 0
  return (
    <Card title={t('off.title')} note={isHeld ? undefined : t('off.text')}>
      <ol className={styles.steps} aria-label={t('off.steps')}>
        <Step name="encoder" state={encoderStep(hasStreamed, copied)} to={paths.ingest(projectId)}>
          <CopyKey projectId={projectId} server={server} onCopied={(what) => setCopied((all) => [...all, what])} />
        </Step>
        <Step name="channels" to={paths.channels(projectId)} {...channelsStep(on?.results, count)} />
        {hasPlans && (
          <Step
            name="tariff"
            state={on && typeof max === 'number' ? (count <= max ? 'done' : 'open') : undefined}
            to={paths.tariffs(projectId)}
            values={{ count, max: max ?? 0 }}
          />
        )}
      </ol>
      <HelpLinkLater article="start/first-broadcast" />
      <HelpLinkLater article="trouble/connection-drops" />
    </Card>
  )
}

interface StepProps {
  /** Key of its texts below `off-air:step`. */
  readonly name: string
  /** Undefined while unknown. */
  readonly state: string | undefined
  readonly to: string
  readonly values?: Readonly<Record<string, number | string>>
  readonly children?: ReactNode
}

function Step({ name, state = 'unknown', to, values = {}, children }: StepProps) {
  const { t } = useTranslation('off-air', { keyPrefix: 'step' })
  const { colon } = usePunctuation()
  const isDone = state === 'done'
  return (
    <li data-done={isDone || undefined}>
      {isDone ? <IconCircleCheck size={24} aria-hidden /> : <IconCircleDashed size={24} aria-hidden />}
      <div className={styles.step}>
        <span className={styles.words}>
          {state !== 'unknown' && (
            <span className="visually-hidden">
              {t(isDone ? 'done' : 'open')}
              {colon}
            </span>
          )}
          {t(`${name}.${state}`, values)}
        </span>
        {children}
        <Link to={to}>{t(`${name}.link`)}</Link>
      </div>
    </li>
  )
}

interface CopyKeyProps {
  readonly projectId: number
  readonly server: IngestServer | undefined
  readonly onCopied: (what: 'address' | 'key') => void
}

/** Server address and stream key for the encoder. Renders nothing for users without access to the key. */
function CopyKey({ projectId, server, onCopied }: CopyKeyProps) {
  const { t } = useTranslation('home', { keyPrefix: 'copy' })
  const { data } = useQuery({ ...q(streamKeys.get, { project_id: projectId }), staleTime: 0 })
  if (!data || data.masked) return null
  const address = encoderAddress(server, 'rtmp', { projectId, key: data.key })?.server
  const words = (idle: string) => ({ idle, copied: t('copied'), refused: t('refused') })
  return (
    <span className={styles.copy}>
      {address && <CopyButton text={address} words={words(t('address'))} onCopied={() => onCopied('address')} />}
      <CopyButton text={data.key} words={words(t('key'))} onCopied={() => onCopied('key')} />
    </span>
  )
}

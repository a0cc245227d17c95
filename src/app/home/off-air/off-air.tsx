import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q, useWrite } from '#src/api/query.ts'
import { BroadcastLine } from '#src/areas/broadcasts/broadcast-line.tsx'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { paths } from '#src/lib/paths.ts'
import { dayMs } from '#src/lib/format.ts'
import { Card } from '#src/ui/card.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { CheckList } from './check-list.tsx'
import { PlanEndNote } from '#src/app/home/on-air/plan-end-note.tsx'
import { ProjectCards } from './project-cards.tsx'
import type { BroadcastEvent } from '#contract/entities/broadcast.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Note } from '#src/ui/note.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { AirButton } from '#src/app/home/on-air/air-button.tsx'
import styles from './held-note.module.css'

/** The next broadcast begins within this time, milliseconds. */
const startMs = 10_000
const recentMs = 600_000
const isRecent = (at: string | null) => at !== null && Date.now() - Date.parse(at) < recentMs

interface Props {
  readonly projectId: number
  /** The stopped broadcast with an encoder that still sends. */
  readonly stoppedId: number | undefined
}

/** Home page while off air: checklist and the last broadcast. */
export function OffAir({ projectId, stoppedId }: Props) {
  const { t } = useTranslation('off-air')
  const mayEdit = useMayEdit(projectId)
  const last = useQuery(q(broadcasts.list, { project_id: projectId, limit: 1, order: 'desc' })).data
  const row = last?.results[0]
  const [startingId, setStartingId] = useState<number>()
  // An encoder that has disconnected meanwhile starts no broadcast.
  useEffect(() => {
    if (startingId === undefined) return
    const timer = setTimeout(() => setStartingId(undefined), startMs)
    return () => clearTimeout(timer)
  }, [startingId])
  const heldId = stoppedId ?? startingId
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
      <PlanEndNote projectId={projectId} aheadMs={7 * dayMs} />
      <CheckList projectId={projectId} hasStreamed={last && last.total > 0} isHeld={heldId !== undefined} />
      {row && (
        <Card title={t('last.title')} actions={<Link to={paths.broadcasts(projectId)}>{t('last.all')}</Link>}>
          <RowList label={t('last.title')}>
            <BroadcastLine projectId={projectId} row={row} />
          </RowList>
        </Card>
      )}
      <ProjectCards projectId={projectId} />
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
  const last = events.find(({ kind }) => kind === 'source-lost' || kind === 'source-back')
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

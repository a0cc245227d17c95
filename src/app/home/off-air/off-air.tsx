import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q } from '#src/api/query.ts'
import { BroadcastLine } from '#src/areas/broadcasts/broadcast-line.tsx'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { paths } from '#src/lib/paths.ts'
import { dayMs } from '#src/lib/format.ts'
import { Card } from '#src/ui/card.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { CheckList } from './check-list.tsx'
import { EndedFor } from './ended-for.tsx'
import { HeldNote } from './held-note.tsx'
import { PlanEndNote } from '#src/app/home/on-air/plan-end-note.tsx'
import { ProjectCards } from './project-cards.tsx'

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

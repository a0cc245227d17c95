import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q } from '#src/api/query.ts'
import { BroadcastLine } from '#src/areas/broadcasts/broadcast-line.tsx'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { CheckList } from './check-list.tsx'
import { EndedFor } from './ended-for.tsx'
import { HeldNote } from './held-note.tsx'
import { ProjectCards } from './project-cards.tsx'

const recentMs = 600_000
const isRecent = (at: string | null) => at !== null && Date.now() - Date.parse(at) < recentMs

interface Props {
  readonly projectId: number
  /** This broadcast was stopped, and its encoder goes on sending. */
  readonly stoppedId: number | undefined
}

/** Nothing is on air: what is still to do, and how it went the last time. */
export function OffAir({ projectId, stoppedId }: Props) {
  const { t } = useTranslation('home')
  const mayEdit = useMayEdit(projectId)
  const last = useQuery(q(broadcasts.list, { project_id: projectId, limit: 1, order: 'desc' })).data
  const row = last?.results[0]
  return (
    <>
      {stoppedId !== undefined && <HeldNote projectId={projectId} broadcastId={stoppedId} mayEdit={mayEdit} />}
      {row && isRecent(row.finish_at) && <EndedFor projectId={projectId} broadcastId={row.id} />}
      <CheckList projectId={projectId} hasStreamed={last && last.total > 0} />
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

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { q } from '#src/api/query.ts'
import { formatDateTime, formatRelative } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { renewalOf } from '#src/lib/renewal.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { useNow } from '#src/lib/use-now.ts'
import { Note } from '#src/ui/note.tsx'

interface Props {
  readonly projectId: number
  /** Warns this long before the end, milliseconds. */
  readonly aheadMs: number
}

/** Warns that the plan ends soon, no plan is queued, and no renewal is expected. */
export function PlanEndNote({ projectId, aheadMs }: Props) {
  const { t } = useTranslation('off-air')
  const language = useLanguage()
  const now = useNow()
  const { data } = useQuery(q(restream.slots, { project_id: projectId }))
  const info = useQuery(q(projects.info, { project_id: projectId }))
  const end = data?.next ? null : data?.current?.date_end
  if (!end || Date.parse(end) - now > aheadMs) return null
  const renewal = renewalOf({ isOn: info.data?.restream.plan2user.prolongation === 1, end }, now)
  if (info.isPending || renewal === 'expected') return null
  const when = { when: formatRelative(end, now, language), date: formatDateTime(end, language) }
  const isLate = renewal === 'late'
  return (
    <Note tone="warn">
      {t(isLate ? 'plan.late' : 'plan.soon', when)}{' '}
      <Link to={isLate ? paths.billing(projectId, 'cards') : paths.tariffs(projectId)}>
        {t(isLate ? 'plan.lateLink' : 'plan.link')}
      </Link>
    </Note>
  )
}

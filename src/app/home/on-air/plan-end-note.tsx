import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { q } from '#src/api/query.ts'
import { formatDateTime, formatRelative } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { useNow } from '#src/lib/use-now.ts'
import { Note } from '#src/ui/note.tsx'

interface Props {
  readonly projectId: number
  /** Warns this long before the end, milliseconds. */
  readonly aheadMs: number
}

/** Warns that the plan ends soon and no plan is queued. */
export function PlanEndNote({ projectId, aheadMs }: Props) {
  const { t } = useTranslation('off-air')
  const language = useLanguage()
  const now = useNow()
  const { data } = useQuery(q(restream.slots, { project_id: projectId }))
  const end = data?.next ? null : data?.current?.date_end
  if (!end || Date.parse(end) - now > aheadMs) return null
  return (
    <Note tone="warn">
      {t('plan.soon', { when: formatRelative(end, now, language), date: formatDateTime(end, language) })}{' '}
      <Link to={paths.tariffs(projectId)}>{t('plan.link')}</Link>
    </Note>
  )
}

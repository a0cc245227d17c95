import { IconCalendarEvent } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { q } from '#src/api/query.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './schedule.module.css'

/** The next date of the schedule, with a link to it; nothing without one. Home loads it after the first view. */
export function ScheduleLine({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('schedule')
  const language = useLanguage()
  const [now] = useState(() => Math.floor(Date.now() / 1000))
  const { data } = useQuery(q(scheduler.list, { project_id: projectId, date_from: now, limit: 1 }))
  const [schedule] = data?.results ?? []
  const at = schedule?.next[0]
  if (!schedule || at === undefined) return null
  const when = formatDateTime(new Date(at * 1000).toISOString(), language)
  return (
    <p className={styles.following}>
      <IconCalendarEvent size={18} aria-hidden />
      <Link to={paths.broadcasts(projectId, 'schedule')}>{t('following', { name: schedule.name, when })}</Link>
    </p>
  )
}

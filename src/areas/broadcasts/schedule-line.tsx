import { IconCalendarEvent } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Schedule, scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { q } from '#src/api/query.ts'
import { formatDuration } from '#src/lib/duration.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Countdown } from './elapsed.tsx'
import styles from './schedule.module.css'

/** Dates within this time have a countdown, seconds. */
const soon = 3_600

/** Schedules of which one is the next: a run of a series that is on hides its further dates in their order. */
const limit = 10

/** The next begin of a schedule; a run that is about to begin is no longer among its dates. @param now Unix seconds */
const nextBeginOf = ({ run, next }: Schedule, now: number): number | undefined =>
  [run?.start_at, ...next].find((at) => at !== undefined && at > now)

/** The next date of the schedule, with a link to it; nothing without one. Home loads it after the first view. */
export function ScheduleLine({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('schedule')
  const language = useLanguage()
  const [now] = useState(() => Math.floor(Date.now() / 1000))
  const { data } = useQuery(q(scheduler.list, { project_id: projectId, date_from: now, limit }))
  const dates = (data?.results ?? []).flatMap((schedule) => {
    const at = nextBeginOf(schedule, now)
    return at === undefined ? [] : [{ name: schedule.name, at }]
  })
  const [first] = dates.toSorted((a, b) => a.at - b.at)
  if (!first) return null
  const { name, at } = first
  const until = new Date(at * 1000).toISOString()
  return (
    <p className={styles.following}>
      <IconCalendarEvent size={18} aria-hidden />
      <Link to={paths.broadcasts(projectId, 'schedule')}>
        {at - now > soon ? (
          t('following', { name, when: formatDateTime(until, language) })
        ) : (
          <Countdown until={until} text={(left) => t('followingIn', { name, left: formatDuration(left * 1000) })} />
        )}
      </Link>
    </p>
  )
}

import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import { type Announcement, announcementsOf } from './announcements.ts'

/** Announces each change once to screen readers. */
export function Announcer({ status }: { readonly status: BroadcastStatus | undefined }) {
  const { t } = useTranslation('home')
  const [seen, setSeen] = useState(status)
  const [announcements, setAnnouncements] = useState<readonly Announcement[]>([])
  if (seen !== status) {
    setSeen(status)
    const messages = announcementsOf(seen, status)
    if (messages.length > 0) setAnnouncements(messages)
  }
  return (
    <div role="status" aria-live="polite" className="visually-hidden">
      {announcements.map(({ key, name }) => t(`announce.${key}`, { name })).join('. ')}
    </div>
  )
}

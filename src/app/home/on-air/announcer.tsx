import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import { type Saying, sayingsOf } from './announcements.ts'

/** Announces each change once to screen readers. */
export function Announcer({ status }: { readonly status: BroadcastStatus | undefined }) {
  const { t } = useTranslation('home')
  const [seen, setSeen] = useState(status)
  const [sayings, setSayings] = useState<readonly Saying[]>([])
  if (seen !== status) {
    setSeen(status)
    const news = sayingsOf(seen, status)
    if (news.length > 0) setSayings(news)
  }
  return (
    <div role="status" aria-live="polite" className="visually-hidden">
      {sayings.map(({ key, name }) => t(`say.${key}`, { name })).join('. ')}
    </div>
  )
}

import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { type Announced, createAnnouncements, isAnnounced } from '#src/components/message-list/announcements.ts'
import type { MessageLog } from '#src/components/message-list/message-log.ts'
import { usePreferences } from './preferences.ts'

interface Props {
  readonly log: MessageLog
  readonly isMention: (message: ChatMessage) => boolean
}

/** Announces new messages to screen readers, as the user chose. The list itself is silent: it changes too fast. */
export function ChatAnnouncer({ log, isMention }: Props) {
  const { t } = useTranslation('chat')
  const { announce } = usePreferences()
  const [latest, setLatest] = useState<Announced | null>(null)
  useEffect(() => {
    if (announce === 'off') return
    const announcements = createAnnouncements(setLatest)
    const off = log.onArrival((message) => isAnnounced(announce, message, isMention) && announcements.add(message))
    return () => {
      off()
      announcements.stop()
    }
  }, [log, announce, isMention])
  return (
    <div role="status" aria-live="polite" className="visually-hidden" data-announcer>
      {latest && t('announce.message', { name: latest.name, text: latest.text })}
      {latest && latest.more > 0 && ` ${t('announce.more', { count: latest.more })}`}
    </div>
  )
}

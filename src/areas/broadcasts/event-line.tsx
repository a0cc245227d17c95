import { IconAlertTriangle, IconBug, IconInfoCircle, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { BroadcastEvent } from '#contract/entities/broadcast.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import type { Tone } from '#src/ui/badge.tsx'
import { Badge } from '#src/ui/badge.tsx'
import type * as z from 'zod/mini'
import styles from './broadcasts.module.css'
import { useEventWords } from './use-event-words.ts'

type Event = z.output<typeof BroadcastEvent>

const badges: Readonly<Record<Event['level'], readonly [Tone, typeof IconBug]>> = {
  debug: ['neutral', IconBug],
  info: ['neutral', IconInfoCircle],
  warning: ['warn', IconAlertTriangle],
  error: ['warn', IconX],
}

/** One event: severity, text, reason and time. */
export function EventLine({ event }: { readonly event: Event }) {
  const { t } = useTranslation('broadcasts')
  const { what, why } = useEventWords()(event)
  const [tone, Icon] = badges[event.level]
  return (
    <li className={styles.event}>
      <Badge tone={tone} icon={<Icon size={14} aria-hidden />}>
        {t(`events.one.${event.level}`)}
      </Badge>
      <div className={styles.words}>
        <strong>{what}</strong>
        {event.count !== undefined && (
          <span className={styles.quiet}> {t('events.times', { count: event.count })}</span>
        )}
        {why && <div className={styles.quiet}>{why}</div>}
        {event.last_at !== undefined && (
          <div className={styles.quiet}>
            {t('events.last')} <DateStamp iso={event.last_at} />
          </div>
        )}
      </div>
      <DateStamp iso={event.created_at} />
    </li>
  )
}

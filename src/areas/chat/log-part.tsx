import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { moderate } from '#contract/areas/chat/moderate.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatTime } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './chat.module.css'

interface Props {
  readonly projectId: number
  readonly broadcastId: number
}

const everyMs = 15_000

/** Acts of all moderators in this broadcast, newest first. */
export default function LogPart({ projectId, broadcastId }: Props) {
  const { t } = useTranslation('chat', { keyPrefix: 'log' })
  const { t: words } = useTranslation('chat-list')
  const language = useLanguage()
  const list = useQuery({
    ...q(moderate.log, { project_id: projectId, broadcast_id: broadcastId }),
    refetchInterval: everyMs,
  })
  return (
    <QueryPart query={list} failed={t('failed')} skeleton={<Skeleton height={160} />}>
      {({ results }) =>
        results.length === 0 ? (
          <p className={styles.quiet}>{t('none')}</p>
        ) : (
          <ol className={styles.said} aria-label={t('title')}>
            {results.map(({ id, act, sender_name, seconds, by, error, created_at }) => (
              <li key={id}>
                <time dateTime={created_at}>{formatTime(created_at, language)}</time>{' '}
                <strong>
                  <bdi>{by.name}</bdi>
                </strong>
                {': '}
                {t(`act.${act}`)} <bdi>{sender_name}</bdi>
                {act === 'timeout' && seconds !== null && ` (${durationOf(seconds, (key) => words(key))})`}
                {error && <span className={styles.trouble}> {t('refused')}</span>}
              </li>
            ))}
          </ol>
        )
      }
    </QueryPart>
  )
}

/** Duration as the menu names it, else in seconds. */
function durationOf(seconds: number, words: (key: `time.${60 | 600 | 3600}`) => string): string {
  return seconds === 60 || seconds === 600 || seconds === 3600 ? words(`time.${seconds}`) : `${seconds} s`
}

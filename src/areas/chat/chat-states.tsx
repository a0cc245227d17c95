import { useTranslation } from 'react-i18next'
import type { ChatCapability } from '#contract/entities/chat-message.ts'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { platformNamed } from '#src/components/use-platform.ts'
import { formatTime } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './chat.module.css'
import { MissingCondition, whyOf } from './missing-condition.tsx'
import { useQuotaText } from './quota.ts'

interface Props {
  readonly rows: readonly ChatCapability[]
  readonly isOnAir: boolean
  readonly titleOf: (platform: string) => string
  /** Absent for a caller with a key, without other pages. */
  readonly projectId: number | undefined
}

/** States of the chats: one line for each, with its reason and one act. Closed while all of them work. */
export function ChatStates({ rows, isOnAir, titleOf, projectId }: Props) {
  const { t } = useTranslation('chat')
  const reading = rows.filter(({ state }) => state === 'reading').length
  const troubled = rows.filter(({ state, needs }) => state === 'failed' || state === 'waiting' || needs !== null).length
  return (
    <details className={styles.states}>
      <summary>
        {isOnAir ? t('states.summary', { count: reading, all: rows.length }) : t('states.next', { count: rows.length })}
        {troubled > 0 && <span className={styles.trouble}> · {t('states.trouble', { count: troubled })}</span>}
      </summary>
      <ul aria-label={t('states.title')}>
        {rows.map((row) => (
          <State key={row.channel_id} {...{ row, projectId }} title={titleOf(row.platform)} />
        ))}
      </ul>
    </details>
  )
}

interface StateProps {
  readonly row: ChatCapability
  readonly title: string
  readonly projectId: number | undefined
}

function State({ row, title, projectId }: StateProps) {
  const { t } = useTranslation('chat')
  const language = useLanguage()
  const { colon, gap } = usePunctuation()
  const { state, reason, until, gap_since, needs } = row
  const isSaid =
    reason === 'quota'
      ? whyOf(row) === 'quota'
      : reason === needs && (reason === 'plan' || reason === 'page' || reason === 'setup')
  const at = until && formatTime(until, language)
  const sentences = [
    t(`states.${state}`),
    reason && state !== 'reading' && !isSaid && t(`reason.${reason}`, { platform: title }),
    at && state !== 'reading' && t('states.until', { at }),
    gap_since && t('states.gap', { at: formatTime(gap_since, language) }),
    useQuotaText()(row),
  ].filter(Boolean)
  return (
    <li className={styles.state} data-state={state}>
      <PlatformIcon {...platformNamed(row.platform)} size={22} />
      <p>
        <strong>{title}</strong>
        {row.name !== title && (
          <>
            {' '}
            <bdi className={styles.quiet}>{row.name}</bdi>
          </>
        )}
        {colon}
        {sentences.join(gap) + gap}
        <MissingCondition {...{ row, title, projectId }} />
      </p>
    </li>
  )
}

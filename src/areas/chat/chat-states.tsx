import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ChatCapability } from '#contract/entities/chat-message.ts'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { platformName } from '#src/components/use-platform.ts'
import { formatTime } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './chat.module.css'

interface Props {
  readonly rows: readonly ChatCapability[]
  readonly titleOf: (platform: string) => string
  /** Absent for a caller with a key, without other pages. */
  readonly projectId: number | undefined
}

/** States of the chats: one line for each, with its reason and one act. Closed while all of them work. */
export function ChatStates({ rows, titleOf, projectId }: Props) {
  const { t } = useTranslation('chat')
  const reading = rows.filter(({ state }) => state === 'reading').length
  const troubled = rows.filter(({ state, needs }) => state === 'failed' || state === 'waiting' || needs !== null).length
  return (
    <details className={styles.states}>
      <summary>
        {t('states.summary', { count: reading, all: rows.length })}
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
  const { state, reason, until, gap_since, needs, popout_url } = row
  const act = projectId === undefined ? null : actOf(row, projectId)
  const at = until && formatTime(until, language)
  return (
    <li className={styles.state} data-state={state}>
      <PlatformIcon {...platformName(row.platform)} size={22} />
      <p>
        <strong>{title}</strong> <bdi className={styles.quiet}>{row.name}</bdi>: {t(`states.${state}`)}
        {reason && state !== 'reading' && ` ${t(`reason.${reason}`, { platform: title })}`}
        {at && state !== 'reading' && ` ${t('states.until', { at })}`}
        {gap_since && ` ${t('states.gap', { at: formatTime(gap_since, language) })}`}
        {needs && needs !== reason && ` ${t(`missing.${needs}`, { platform: title })}`}{' '}
        {act && <Link to={act.to}>{t(`needsAct.${act.key}`)}</Link>}{' '}
        {popout_url !== null && !row.read && (
          <a href={popout_url} target="_blank" rel="noopener noreferrer">
            {t('states.popout', { platform: title })}
          </a>
        )}
      </p>
    </li>
  )
}

/** Page where the user adds what a chat needs. */
function actOf({ needs, channel_id }: ChatCapability, projectId: number) {
  if (needs === 'reconnect' || needs === 'scope') return { key: 'connect', to: paths.channels(projectId, 'accounts') }
  if (needs === 'plan') return { key: 'plan', to: paths.tariffs(projectId) }
  if (needs === 'page' || needs === 'account') return { key: 'channel', to: paths.channel(projectId, channel_id) }
  return null
}

import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ChatCapability } from '#contract/entities/chat-message.ts'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { platformNamed } from '#src/components/use-platform.ts'
import { paths } from '#src/lib/paths.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import styles from './chat.module.css'

interface Props {
  readonly row: ChatCapability
  readonly title: string
  /** Absent for a caller with a key, without other pages. */
  readonly projectId: number | undefined
}

/** The missing condition of a chat as a sentence, with one act that meets it. */
export function MissingCondition({ row, title, projectId }: Props) {
  const { t } = useTranslation('chat')
  const { gap } = usePunctuation()
  const why = whyOf(row)
  if (!why) return null
  const to = projectId === undefined ? null : linkOf(row, why, projectId)
  return (
    <>
      {t(`need.${why}`, { platform: title })}
      {gap}
      {to ? (
        <Link to={to.path}>{t(`needsAct.${to.act}`)}</Link>
      ) : (
        row.popout_url !== null && (
          <a href={row.popout_url} target="_blank" rel="noopener noreferrer">
            {t('states.popout', { platform: title })}
          </a>
        )
      )}
    </>
  )
}

type Why = NonNullable<ChatCapability['needs']> | 'accountToRead' | 'bot' | 'unsupported' | 'offAir'

/** Key of the sentence; null: nothing is missing. */
export function whyOf({ needs, reason, state, read, send, platform, restream_id, quota }: ChatCapability): Why | null {
  if (needs === 'account' && !read) return 'accountToRead'
  if (needs === 'setup' && platform === 'telegram') return 'bot'
  if (needs !== null) return needs
  if ((reason === 'quota' && state === 'waiting') || quota?.write.left === 0) return 'quota'
  if (!send) return 'unsupported'
  return restream_id === null ? 'offAir' : null
}

function linkOf({ channel_id }: ChatCapability, why: Why, projectId: number) {
  if (['reconnect', 'scope', 'account', 'accountToRead'].includes(why))
    return { act: 'connect', path: paths.channels(projectId, 'accounts') }
  if (why === 'plan') return { act: 'plan', path: paths.tariffs(projectId) }
  if (why === 'quota') return { act: 'more', path: paths.help('chat/youtube-quota') }
  if (why === 'setup') return { act: 'more', path: paths.help('chat/all-platforms') }
  if (why === 'unsupported') return null
  return { act: 'channel', path: paths.channel(projectId, channel_id) }
}

interface ListProps extends Pick<Props, 'projectId'> {
  readonly rows: readonly ChatCapability[]
  readonly titleOf: (platform: string) => string
}

/** Takes the place of the composer where no chat can be written to: reasons, with one act each. */
export function CannotWrite({ rows, titleOf, projectId }: ListProps) {
  const { t } = useTranslation('chat', { keyPrefix: 'cannotWrite' })
  const { colon } = usePunctuation()
  return (
    <section className={styles.cannotWrite} aria-label={t('title')}>
      {rows.length === 0 ? (
        <p>
          {t('noChannels')} {projectId !== undefined && <Link to={paths.channels(projectId)}>{t('channels')}</Link>}
        </p>
      ) : (
        <ul>
          {rows.map((row) => (
            <li key={row.channel_id} className={styles.state}>
              <PlatformIcon {...platformNamed(row.platform)} size={22} />
              <p>
                <strong>{titleOf(row.platform)}</strong> <bdi className={styles.quiet}>{row.name}</bdi>
                {colon}
                <MissingCondition row={row} title={titleOf(row.platform)} projectId={projectId} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

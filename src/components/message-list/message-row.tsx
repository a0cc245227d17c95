import { memo, type ReactNode } from 'react'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { PlatformType } from '#contract/platforms/platforms.ts'
import type { Language } from '#contract/core/wire.ts'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { colorOf, imageOf } from '#src/lib/chat-text.ts'
import { formatTime } from '#src/lib/format.ts'
import type { AgainOf } from './acts.ts'
import styles from './message-list.module.css'
import { MessageText } from './message-text.tsx'
import type { ListTexts } from './list-texts.ts'
import { Targets } from './targets.tsx'
import type { MessageRow as Row } from './rows.ts'

interface Props {
  readonly row: Row
  readonly t: ListTexts
  readonly language: Language
  /** Platform of the sender. */
  readonly type: PlatformType
  readonly title: string
  /** Names the user or a highlighted word. */
  readonly isMention: boolean
  /** Message that this one answers, where the list has it. */
  readonly parent: ChatMessage | undefined
  readonly againOf: AgainOf | undefined
}

/** One message. Memoised: a row in a fast list is drawn once. */
export const MessageRow = memo(function MessageRow(props: Props) {
  const { row, t, language, type, title, isMention, parent, againOf } = props
  const { message, same } = row
  const { sender, kind, deleted, hidden, paid } = message
  return (
    <article
      className={styles.message}
      data-kind={kind}
      data-mention={isMention || undefined}
      data-quiet={deleted || hidden || undefined}
    >
      {message.reply_to && (
        <p className={styles.parent}>
          <span aria-hidden>↪ </span>
          {parent ? (
            <>
              {t('replyTo', { name: '' })} <bdi>{parent.sender.name}</bdi>: <bdi>{parent.text.slice(0, 120)}</bdi>
            </>
          ) : (
            t('reply')
          )}
        </p>
      )}
      <p className={styles.line}>
        {!message.is_outgoing && (
          <span className={styles.source} title={title}>
            <PlatformIcon type={type} size={18} />
            <span className="visually-hidden">{title}</span>
          </span>
        )}
        <time className={styles.time} dateTime={message.created_at}>
          {formatTime(message.created_at, language)}
        </time>{' '}
        <Marks sender={sender} t={t} />
        <Name message={message} /> {paid && <strong className={styles.amount}>{paid.text}</strong>}{' '}
        {kind !== 'message' && kind !== 'paid' && <span className={styles.tag}>{t(`kind.${kind}`)}</span>}{' '}
        {deleted ? (
          <em className={styles.gone}>{t('deleted')}</em>
        ) : (
          <bdi className={styles.text}>
            <MessageText message={message} />
          </bdi>
        )}{' '}
        {same.length > 0 && (
          <span className={styles.times} title={t('sameTitle')}>
            <span aria-hidden>×{same.length + 1}</span>
            <span className="visually-hidden">{t('same', { count: same.length })}</span>
          </span>
        )}
        {hidden && !deleted && <span className={styles.tag}>{t('hidden')}</span>}
        {message.late && <span className={styles.tag}>{t('late')}</span>}
      </p>
      {message.is_outgoing && <Targets {...{ message, t, againOf }} />}
    </article>
  )
})

const maxBadges = 4

/** Badges and roles of a sender. */
function Marks({ sender, t }: { readonly sender: ChatMessage['sender']; readonly t: ListTexts }): ReactNode {
  const { badges, roles } = sender
  const shown = badges.slice(0, maxBadges).flatMap((badge) => {
    const src = imageOf(badge.image)
    return src ? [{ ...badge, src }] : []
  })
  return (
    <>
      {shown.map(({ id, title, src }) => (
        <img key={id} className={styles.badge} src={src} alt={title} title={title} referrerPolicy="no-referrer" />
      ))}
      {shown.length === 0 &&
        roles
          .filter((role) => role !== 'member')
          .map((role) => (
            <span key={role} className={styles.role}>
              {t(`role.${role}`)}
            </span>
          ))}
    </>
  )
}

function Name({ message: { sender, is_outgoing } }: { readonly message: ChatMessage }) {
  const color = colorOf(sender.color)
  return (
    <bdi
      className={styles.name}
      data-own={is_outgoing || undefined}
      style={color ? ({ '--sender': color } as React.CSSProperties) : undefined}
    >
      {sender.name}
    </bdi>
  )
}

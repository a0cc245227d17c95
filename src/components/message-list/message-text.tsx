import { partsOf } from '#src/lib/chat-text.ts'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import styles from './message-list.module.css'

/** Text of a message, built from its parts: never markup. Images have a fixed size, so that no row grows later. */
export function MessageText({ message }: { readonly message: Pick<ChatMessage, 'text' | 'entities'> }) {
  return partsOf(message).map((part, index) => {
    // Parts of a message never change their order.
    const key = `${index}`
    if (part.is === 'image')
      return (
        <img
          key={key}
          className={styles.emote}
          src={part.src}
          alt={part.text}
          title={part.text}
          loading="lazy"
          referrerPolicy="no-referrer"
        />
      )
    if (part.is === 'link')
      return (
        <a key={key} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
          {part.text}
        </a>
      )
    if (part.is === 'mention')
      return (
        <strong key={key} className={styles.mention}>
          {part.text}
        </strong>
      )
    return <span key={key}>{part.text}</span>
  })
}

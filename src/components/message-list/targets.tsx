import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { platformNamed } from '#src/components/use-platform.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import type { AgainOf } from './acts.ts'
import styles from './message-list.module.css'
import type { ListTexts } from './list-texts.ts'

interface Props {
  readonly message: ChatMessage
  readonly t: ListTexts
  /** Sends a message again to one target; absent: never. */
  readonly againOf: AgainOf | undefined
}

/** Targets of an own message with their states, and "Send again" at a failed one. */
export function Targets({ message, t, againOf }: Props) {
  const { colon } = usePunctuation()
  return (
    <ul className={styles.targets} aria-label={t('targets')}>
      {message.restreams.map(({ restream_id, platform, state, error }) => {
        const { type, title } = platformNamed(platform)
        const sendAgain = state === 'failed' ? againOf?.(message, restream_id) : null
        return (
          <li key={restream_id} className={styles.target} data-state={state}>
            <PlatformIcon type={type} size={16} />
            <span>
              {title + colon}
              {state === 'failed'
                ? t(`error.${error ?? 'other'}`, { defaultValue: t('error.other') })
                : t(`state.${state}`)}
            </span>
            {sendAgain && (
              <button type="button" className={styles.again} onClick={sendAgain}>
                {t('again')}
                <span className="visually-hidden"> {title}</span>
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

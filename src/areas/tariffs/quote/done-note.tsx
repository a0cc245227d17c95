import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './quote.module.css'

/** Completed action with its message. */
export interface Done {
  readonly title: string
  readonly text: string
}

/** Confirmation in place of the question, shown until it is dismissed or the selection changes. */
export function DoneNote({ done: { title, text }, onClose }: { done: Done; onClose: () => void }) {
  const { t } = useTranslation('tariffs')
  const heading = useRef<HTMLHeadingElement>(null)
  // The focused button was removed; moves focus to the message.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [title, text])
  return (
    <section className={`${styles.dock} ${styles.panel}`} data-done aria-label={title}>
      <h3 ref={heading} tabIndex={-1} className={styles.title}>
        {title}
      </h3>
      <p className={styles.sentence}>{text}</p>
      <button type="button" className={styles.close} onClick={onClose}>
        {t('done.close')}
      </button>
    </section>
  )
}

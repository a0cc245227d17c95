import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './quote.module.css'

/** What has just been done. */
export interface Done {
  readonly title: string
  readonly text: string
}

/** Says what happened, where the question was asked, until it is put away or something else is looked at. */
export function DoneNote({ done: { title, text }, onClose }: { done: Done; onClose: () => void }) {
  const { t } = useTranslation('tariffs')
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that had the focus is gone with what it did.
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

import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './reference.module.css'

interface Props {
  /** What it is. */
  readonly label: string
  readonly text: string
  readonly canCopy?: boolean
}

/** Text as a machine reads it. Focusable, so that a long one can be scrolled by keyboard. */
export function CodeBlock({ label, text, canCopy = false }: Props) {
  return (
    <div className={styles.code}>
      <div className={styles.codeHead}>
        <h4>{label}</h4>
        {canCopy && <CopyButton text={text} />}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <div role="group" aria-label={label} tabIndex={0} className={styles.scroll}>
        <pre>{text}</pre>
      </div>
    </div>
  )
}

/** Copies, and says that it did, or that the browser did not let it. */
function CopyButton({ text }: { text: string }) {
  const { t } = useTranslation('reference')
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), 2500)
    return () => clearTimeout(timer)
  }, [state])

  const handleCopy = () =>
    // Without a secure origin there is no clipboard at all.
    void (navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('No clipboard'))).then(
      () => setState('copied'),
      () => setState('refused'),
    )
  return (
    <button type="button" className={styles.copy} onClick={handleCopy}>
      <span aria-live="polite">{t(`copy.${state}`)}</span>
    </button>
  )
}

import { useId, useState, type KeyboardEvent } from 'react'
import { formatDateTime, formatRelative, formatUtc } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { useNow } from '#src/lib/use-now.ts'
import styles from './date-stamp.module.css'

/**
 * A moment three ways: local date and time, distance from now, and exact UTC on hover, focus or touch. Escape hides the
 * exact time; it stays while the pointer is on it.
 */
export function DateStamp({ iso }: { iso: string }) {
  const language = useLanguage()
  const now = useNow()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const handleKey = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
  return (
    <span className={styles.stamp} onPointerEnter={() => setOpen(true)} onPointerLeave={() => setOpen(false)}>
      <button
        type="button"
        className={styles.button}
        aria-describedby={id}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
        onKeyDown={handleKey}
      >
        <time dateTime={iso}>{formatDateTime(iso, language)}</time>{' '}
        <span className={styles.relative}>{formatRelative(iso, now, language)}</span>
      </button>
      <span id={id} role="tooltip" className={styles.exact} hidden={!isOpen}>
        {formatUtc(iso)}
      </span>
    </span>
  )
}

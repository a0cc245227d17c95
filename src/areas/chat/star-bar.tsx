import { IconStarFilled, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { IconButton } from '#src/ui/button.tsx'
import styles from './chat.module.css'
import type { Star } from './use-star.ts'

interface Props {
  readonly star: Star
  /** Absent for callers that only read. */
  readonly onClear: (() => void) | undefined
}

/** The message that overlays show until it is cleared. */
export function StarBar({ star: { id, message }, onClear }: Props) {
  const { t } = useTranslation('chat', { keyPrefix: 'star' })
  const { colon } = usePunctuation()
  if (id === null || !message) return null
  return (
    <section className={styles.star} aria-label={t('title')}>
      <IconStarFilled size={16} aria-hidden />
      <p>
        <span className={styles.quiet}>{t('title') + colon}</span>
        <bdi className={styles.starName}>{message.sender.name}</bdi> <bdi>{message.text}</bdi>
      </p>
      {onClear && (
        <IconButton label={t('clear')} onClick={onClear}>
          <IconX size={18} aria-hidden />
        </IconButton>
      )}
    </section>
  )
}

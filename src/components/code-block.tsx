import { useTranslation } from 'react-i18next'
import { CopyButton } from '#src/ui/copy-button.tsx'
import styles from './reference.module.css'

interface Props {
  /** What it is. */
  readonly label: string
  readonly text: string
  readonly canCopy?: boolean
}

/** Text as a machine reads it. Focusable, so that a long one can be scrolled by keyboard. */
export function CodeBlock({ label, text, canCopy = false }: Props) {
  const { t } = useTranslation('reference')
  const words = { idle: t('copy.idle'), copied: t('copy.copied'), refused: t('copy.refused') }
  return (
    <div className={styles.code}>
      <div className={styles.codeHead}>
        <h4>{label}</h4>
        {canCopy && <CopyButton text={text} words={words} look="quiet" />}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <div role="group" aria-label={label} tabIndex={0} className={styles.scroll}>
        <pre>{text}</pre>
      </div>
    </div>
  )
}

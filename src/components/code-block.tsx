import { CopyButton, type CopyWords } from '#src/ui/copy-button.tsx'
import styles from './code-block.module.css'

interface Props {
  /** Accessible name of the code. */
  readonly label: string
  readonly text: string
  /** Labels of the copy button; absent: no copy button. */
  readonly copy?: CopyWords
  /** Level of its heading. */
  readonly heading?: 'h3' | 'h4'
}

/** Preformatted text. Focusable, so that the keyboard can scroll it. */
export function CodeBlock({ label, text, copy, heading: Heading = 'h4' }: Props) {
  return (
    <div className={styles.code}>
      <div className={styles.head}>
        <Heading className={styles.label}>{label}</Heading>
        {copy && <CopyButton text={text} words={copy} look="quiet" />}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <div role="group" aria-label={label} tabIndex={0} className={styles.scroll}>
        <pre>{text}</pre>
      </div>
    </div>
  )
}

import { CopyButton, type CopyWords } from '#src/ui/copy-button.tsx'
import styles from './code-block.module.css'

interface Props {
  /** What it is. */
  readonly label: string
  readonly text: string
  /** With these it can be copied. */
  readonly copy?: CopyWords
  /** Where it stands among the headings. */
  readonly heading?: 'h3' | 'h4'
}

/** Text as a machine reads it. Focusable, so that a long one can be scrolled by keyboard. */
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

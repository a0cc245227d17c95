import { Button } from './button.tsx'
import type { ReactNode } from 'react'
import styles from './problem.module.css'

interface Props {
  /** Name of the failed action or content. */
  readonly title: ReactNode
  readonly children?: ReactNode
  /** Label and action of the retry button. */
  readonly retry?: { readonly label: ReactNode; readonly run: () => void }
  /** Technical details that the user can send to support. */
  readonly details?: { readonly label: ReactNode; readonly text: string }
}

/** Failed part of a page, shown in its place. */
export function Problem({ title, children, retry, details }: Props) {
  return (
    <div className={styles.problem} role="alert">
      {/* Own SVG: error pages must not depend on the icon code of the other pages. */}
      <svg viewBox="0 0 24 24" width={20} height={20} className={styles.icon} aria-hidden focusable="false">
        <path d="M12 9v4m0 4h.01M10.4 3.6 2.3 17a2 2 0 0 0 1.7 3h16a2 2 0 0 0 1.7-3L13.6 3.6a2 2 0 0 0-3.2 0" />
      </svg>
      <div className={styles.body}>
        <strong>{title}</strong>
        {children && <div className={styles.words}>{children}</div>}
        {details && (
          <details className={styles.details}>
            <summary>{details.label}</summary>
            <pre>{details.text}</pre>
          </details>
        )}
        {retry && (
          <Button look="outline" onClick={retry.run}>
            {retry.label}
          </Button>
        )}
      </div>
    </div>
  )
}

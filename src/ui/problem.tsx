import { Button } from './button.tsx'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './problem.module.css'

interface Props {
  /** What did not work, in words. */
  readonly title: ReactNode
  readonly children?: ReactNode
  /** Label and act of the button that tries again. */
  readonly retry?: { readonly label: ReactNode; readonly run: () => void }
  /** What a person can send to whoever can help. */
  readonly details?: { readonly label: ReactNode; readonly text: string }
}

/** A part of a page that failed, said in its place. */
export function Problem({ title, children, retry, details }: Props) {
  return (
    <div className={styles.problem} role="alert">
      <IconAlertTriangle size={20} stroke={1.8} className={styles.icon} aria-hidden />
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

import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

interface Props {
  readonly icon?: ReactNode
  /** What is not there. */
  readonly title: ReactNode
  /** What it would be good for, or why there is none. */
  readonly children?: ReactNode
  /** What leads to the first one. */
  readonly action?: ReactNode
}

/** The place of things while there are none. */
export function EmptyState({ icon, title, children, action }: Props) {
  return (
    <div className={styles.empty}>
      {icon && (
        <span className={styles.icon} aria-hidden>
          {icon}
        </span>
      )}
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}

import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

interface Props {
  readonly icon?: ReactNode
  /** Name of the missing items. */
  readonly title: ReactNode
  /** Their purpose, or the reason that there are none. */
  readonly children?: ReactNode
  /** Action that adds the first item. */
  readonly action?: ReactNode
}

/** Replaces an empty list. */
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

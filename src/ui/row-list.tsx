import type { ReactNode } from 'react'
import styles from './row-list.module.css'

/** Rows with a line between them. `label` names the list where no heading does. */
export function RowList({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  return (
    <ul className={styles.rows} aria-label={label}>
      {children}
    </ul>
  )
}

interface RowProps {
  /** A picture or an icon, 38 pixels. */
  readonly lead?: ReactNode
  readonly title: ReactNode
  /** Details in a muted colour. */
  readonly about?: ReactNode
  /** Badges, buttons, a switch; below the text in narrow windows. */
  readonly actions?: ReactNode
  /** Name of the row in the document (`data-row`): keyboard focus finds it again after it moved. */
  readonly name?: string | undefined
  readonly children?: ReactNode
}

/** One row of a `RowList`. */
export function Row({ lead, title, about, actions, name, children }: RowProps) {
  return (
    <li className={styles.row} data-row={name}>
      {lead}
      <div className={styles.words}>
        <div className={styles.title}>{title}</div>
        {about && <div className={styles.about}>{about}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
      {children && <div className={styles.more}>{children}</div>}
    </li>
  )
}

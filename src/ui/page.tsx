import type { ReactNode } from 'react'
import styles from './page.module.css'

interface Props {
  readonly title: ReactNode
  /** One sentence under the title. */
  readonly intro?: ReactNode
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** A page: its heading, and what is below it. */
export function Page({ title, intro, actions, children }: Props) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.words}>
          <h1 className={styles.title}>{title}</h1>
          {intro && <p className={styles.intro}>{intro}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

import { type ReactNode, useRef } from 'react'
import styles from './page.module.css'
import { useKeepFocus } from './use-keep-focus.ts'

interface Props {
  readonly title: ReactNode
  /** One sentence under the title. */
  readonly intro?: ReactNode
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** Heading and content of a page. Focus stays inside when the focused control is removed. */
export function Page({ title, intro, actions, children }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  useKeepFocus(frame)
  return (
    <div ref={frame} className={styles.page}>
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

import type { ReactNode } from 'react'
import styles from './fact-list.module.css'

/** What is known about something: names on one side, values on the other, a line between each. */
export function FactList({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

interface FactProps {
  readonly name: ReactNode
  /** The value is unknown, or there is none: said more quietly. */
  readonly isQuiet?: boolean
  readonly children: ReactNode
}

/** One line of a `FactList`. */
export function Fact({ name, isQuiet = false, children }: FactProps) {
  return (
    <div className={styles.fact} data-quiet={isQuiet || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

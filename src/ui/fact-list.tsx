import type { ReactNode } from 'react'
import styles from './fact-list.module.css'

/** Facts: names on one side, values on the other, a line between rows. */
export function FactList({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

interface FactProps {
  readonly name: ReactNode
  /** The value is unknown or absent: shown in a muted colour. */
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

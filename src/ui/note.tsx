import type { ReactNode } from 'react'
import styles from './note.module.css'

interface Props {
  readonly tone?: 'neutral' | 'ok' | 'warn' | 'live'
  readonly children?: ReactNode
}

/** Message about an event, announced to screen readers. Stays mounted while empty, so that a new text is announced. */
export function Note({ tone = 'neutral', children }: Props) {
  return (
    <output className={styles.note} data-tone={tone}>
      {children}
    </output>
  )
}

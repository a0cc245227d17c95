import type { ReactNode } from 'react'
import styles from './note.module.css'

interface Props {
  readonly tone?: 'neutral' | 'ok' | 'warn' | 'live'
  readonly children?: ReactNode
}

/** What has just happened, in its place; said aloud. Stays while it says nothing, so that its words are announced. */
export function Note({ tone = 'neutral', children }: Props) {
  return (
    <output className={styles.note} data-tone={tone}>
      {children}
    </output>
  )
}

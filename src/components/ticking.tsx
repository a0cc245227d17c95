import { useLayoutEffect, useRef } from 'react'
import styles from './ticking.module.css'

/** What is told again and again: a clock, a measurement. A vanilla store is one. */
export interface Source<T> {
  readonly getState: () => T
  readonly subscribe: (listener: () => void) => () => void
}

interface Props<T> {
  readonly source: Source<T>
  /** Never empty. */
  readonly text: (now: T) => string
  readonly role?: 'timer'
}

const shapeOf = (text: string) => text.replaceAll(/\d/g, '0')

/**
 * A text that changes each second: it is written to its place, and neither drawn anew nor put in order with what is around
 * while only its digits change. A screen reader may read it, and is not told.
 */
export function Ticking<T>({ source, text, role }: Props<T>) {
  const place = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    let shown = ''
    let shape = ''
    const write = () => {
      const now = text(source.getState())
      const { parentElement: room, firstChild: node } = place.current ?? {}
      if (!room || !node || shown === now) return
      node.nodeValue = shown = now
      if (shape !== shapeOf(now)) room.dataset['shape'] = shape = shapeOf(now)
    }
    write()
    return source.subscribe(write)
  })
  const first = text(source.getState())
  return (
    <span className={styles.ticking} data-shape={shapeOf(first)} role={role} aria-live={role && 'off'}>
      <span ref={place} className={styles.text}>
        {first}
      </span>
    </span>
  )
}

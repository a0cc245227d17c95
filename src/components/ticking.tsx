import { useLayoutEffect, useRef } from 'react'
import styles from './ticking.module.css'

/** A value that changes repeatedly: a clock, a measurement. A vanilla store is one. */
export interface Source<T> {
  readonly getState: () => T
  readonly subscribe: (listener: () => void) => () => void
}

interface Props<T> {
  readonly source: Source<T>
  /** Text of the value; never empty. */
  readonly text: (now: T) => string
  readonly role?: 'timer'
}

const shapeOf = (text: string) => text.replaceAll(/\d/g, '0')

/**
 * A text that changes each second: written to its text node, without render or layout of the surroundings while only
 * its digits change. A screen reader can read it, but does not announce changes.
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

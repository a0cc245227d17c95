// The snapshot and its listeners: the only publisher of state changes.
import type { AuthEvent, AuthSnapshot } from './types.ts'

/** Holds the snapshot; notifies listeners immediately, or after `release` while held. */
export function createState(initial: AuthSnapshot) {
  let snapshot = initial
  const changes = new Set<() => void>()
  const listeners = new Set<(event: AuthEvent) => void>()
  let waiting: (() => void)[] = []
  let held = 0

  const tell = (run: () => void) => {
    waiting.push(run)
    if (!held) flush()
  }
  const flush = () => {
    const runs = waiting
    waiting = []
    for (const run of runs) run()
  }
  /** A listener that throws does not affect the others. */
  const each = <T>(set: Set<(value: T) => void>, value: T) => {
    for (const listener of set) {
      try {
        listener(value)
      } catch (error) {
        globalThis.reportError?.(error)
      }
    }
  }
  const listen = <T>(set: Set<T>, listener: T) => {
    set.add(listener)
    return () => void set.delete(listener)
  }

  return {
    get: () => snapshot,
    set(patch: Partial<AuthSnapshot>) {
      const next = { ...snapshot, ...patch }
      const isChanged = (Object.keys(next) as (keyof AuthSnapshot)[]).some((key) => next[key] !== snapshot[key])
      if (!isChanged) return
      snapshot = next
      tell(() => each(changes, undefined as never))
    },
    emit: (event: AuthEvent) => tell(() => each(listeners, event)),
    subscribe: (onChange: () => void) => listen(changes, onChange),
    onEvent: (listener: (event: AuthEvent) => void) => listen(listeners, listener),
    hold() {
      held++
    },
    release() {
      if (held && !--held) flush()
    },
  }
}

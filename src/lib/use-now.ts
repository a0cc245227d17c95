// Shared clocks: one timer per interval, however many components read it.
import { useSyncExternalStore } from 'react'

interface Clock {
  /** Milliseconds since 1970. */
  readonly getState: () => number
  readonly subscribe: (listener: () => void) => () => void
}

const clocks = new Map<number, Clock>()

/** Share of an interval that a timer may be late: less is not shown, so that no second is skipped or repeated. */
const tolerance = 0.3

/** Returns the clock of an interval, for `Ticking`. It stops while nothing subscribes. @param everyMs milliseconds */
export function clock(everyMs: number): Clock {
  const known = clocks.get(everyMs)
  if (known) return known
  const made = makeClock(everyMs)
  clocks.set(everyMs, made)
  return made
}

function makeClock(everyMs: number): Clock {
  const listeners = new Set<() => void>()
  let now = Date.now()
  let timer: ReturnType<typeof setInterval> | undefined
  const tick = () => {
    const due = now + everyMs
    now = Math.abs(Date.now() - due) < everyMs * tolerance ? due : Date.now()
    for (const listener of listeners) listener()
  }
  return {
    getState() {
      if (timer === undefined && Date.now() - now >= everyMs) now = Date.now()
      return now
    },
    subscribe(listener) {
      listeners.add(listener)
      timer ??= setInterval(tick, everyMs)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

/** Milliseconds since 1970, renewed every `everyMs`. The default suits "in 40 minutes". */
export function useNow(everyMs = 30_000): number {
  const { subscribe, getState } = clock(everyMs)
  return useSyncExternalStore(subscribe, getState)
}

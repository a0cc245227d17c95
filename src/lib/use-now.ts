import { useSyncExternalStore } from 'react'

/** One clock for everybody who looks at it as often: a page full of stopwatches wakes once a second, not once for each. */
interface Clock {
  now: number
  timer: ReturnType<typeof setInterval> | undefined
  readonly listeners: Set<() => void>
}

const clocks = new Map<number, Clock>()

function clockOf(everyMs: number): Clock {
  const known = clocks.get(everyMs)
  if (known) return known
  const made: Clock = { now: Date.now(), timer: undefined, listeners: new Set() }
  clocks.set(everyMs, made)
  return made
}

function listen(everyMs: number, listener: () => void): () => void {
  const clock = clockOf(everyMs)
  clock.listeners.add(listener)
  clock.timer ??= setInterval(() => {
    clock.now = Date.now()
    for (const each of clock.listeners) each()
  }, everyMs)
  return () => {
    clock.listeners.delete(listener)
    if (clock.listeners.size > 0) return
    clearInterval(clock.timer)
    clock.timer = undefined
  }
}

/** The clock's time; that of this moment where nobody has kept it going. */
function look(everyMs: number): number {
  const clock = clockOf(everyMs)
  if (clock.timer === undefined && Date.now() - clock.now >= everyMs) clock.now = Date.now()
  return clock.now
}

const listeners = new Map<number, (listener: () => void) => () => void>()
const listenerOf = (everyMs: number) => {
  const known = listeners.get(everyMs) ?? ((listener: () => void) => listen(everyMs, listener))
  listeners.set(everyMs, known)
  return known
}

/** Milliseconds since 1970, renewed every half minute: often enough for "in 40 minutes", seldom enough to cost nothing. */
export const useNow = (everyMs = 30_000): number => useSyncExternalStore(listenerOf(everyMs), () => look(everyMs))

import { useSyncExternalStore } from 'react'

/** What is looked at. Its state: milliseconds since 1970. */
interface Face {
  readonly getState: () => number
  readonly subscribe: (listener: () => void) => () => void
}

/** One clock for everybody who looks at it as often: a page full of stopwatches wakes once a second, not once for each. */
interface Clock {
  readonly face: Face
  /** What it shows: from one beat to the next exactly as long as it beats, so that no second is shown twice or left out. */
  now: number
  beatAt: number
  timer: ReturnType<typeof setTimeout> | undefined
  readonly listeners: Set<() => void>
}

const clocks = new Map<number, Clock>()
/** Shares of a beat: so early may another one be, so late may the next one be, and so far may what is shown be off. */
const early = 0.7
const late = 1.3
const off = 0.3

function clockOf(everyMs: number): Clock {
  const known = clocks.get(everyMs)
  if (known) return known
  const face = { getState: () => look(everyMs), subscribe: (listener: () => void) => listen(everyMs, listener) }
  const made: Clock = { face, now: Date.now(), beatAt: Date.now(), timer: undefined, listeners: new Set() }
  clocks.set(everyMs, made)
  return made
}

function wait(clock: Clock, everyMs: number, nextMs: number): void {
  clearTimeout(clock.timer)
  clock.timer = setTimeout(() => beat(clock, everyMs, everyMs), nextMs)
}

function beat(clock: Clock, everyMs: number, nextMs: number): void {
  wait(clock, everyMs, nextMs)
  clock.beatAt = Date.now()
  const due = clock.now + everyMs
  clock.now = Math.abs(clock.beatAt - due) < everyMs * off ? due : clock.beatAt
  for (const each of clock.listeners) each()
}

/**
 * Something is about to be drawn that is told about once a second: the clock of that pace beats along, so that the page is
 * drawn once and not twice. Where it has beaten just before it waits a little longer, and is with it the next time.
 */
export function beatAlong(everyMs = 1_000): void {
  const clock = clocks.get(everyMs)
  if (clock?.timer === undefined) return
  const sinceMs = Date.now() - clock.beatAt
  if (sinceMs >= everyMs * early) beat(clock, everyMs, everyMs * late)
  else wait(clock, everyMs, everyMs * late - sinceMs)
}

function listen(everyMs: number, listener: () => void): () => void {
  const clock = clockOf(everyMs)
  clock.listeners.add(listener)
  clock.timer ??= setTimeout(() => beat(clock, everyMs, everyMs), everyMs)
  return () => {
    clock.listeners.delete(listener)
    if (clock.listeners.size > 0) return
    clearTimeout(clock.timer)
    clock.timer = undefined
  }
}

/** The clock's time; that of this moment where nobody has kept it going. */
function look(everyMs: number): number {
  const clock = clockOf(everyMs)
  if (clock.timer === undefined && Date.now() - clock.now >= everyMs) clock.now = Date.now()
  return clock.now
}

/** The clock of a pace, for those who write it themselves (`Ticking`): the same one for all of them. */
export const clock = (everyMs: number): Face => clockOf(everyMs).face

/** Milliseconds since 1970, renewed every half minute: often enough for "in 40 minutes", seldom enough to cost nothing. */
export function useNow(everyMs = 30_000): number {
  const { subscribe, getState } = clock(everyMs)
  return useSyncExternalStore(subscribe, getState)
}

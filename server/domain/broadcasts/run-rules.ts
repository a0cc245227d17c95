// When a run of a schedule begins, waits, ends or is missed: pure rules. Times are Unix milliseconds.
import type { LateRule } from '#contract/entities/schedule.ts'

/** A run begins in time within so many milliseconds. */
export const onTimeMs = 10_000
/** A run that begins later than this begins at its first second, by the rule `begin`. */
const shiftMs = 2_000
/** Time that a node has to report the end of a run. */
export const endGraceMs = 30_000

/** Times of a run. */
export interface RunTimes {
  readonly id: number
  readonly occurrence: number
  readonly begin: number
  /** Time at which it is cut; null: none. */
  readonly limit: number | null
  /** By the limit or by its files; null: open. */
  readonly end: number | null
  readonly late: LateRule
  /** Milliseconds. */
  readonly lateMax: number
  /** It was on air, or below an encoder. */
  readonly isAdmitted: boolean
}

/** `wait`: an earlier run is on. `go`: it begins at its time, or continues. */
export type RunVerdict = 'wait' | 'go' | 'ended' | 'missed'

/** Judges a run now. @param isWaiting an earlier run of its project is on, or about to begin */
export function judgeRun(run: RunTimes, now: number, isWaiting: boolean): RunVerdict {
  if (run.isAdmitted) return run.end !== null && now >= run.end + endGraceMs ? 'ended' : 'go'
  const latest = latestBegin(run)
  if (latest !== null && now > latest) return 'missed'
  return isWaiting ? 'wait' : 'go'
}

/** Returns the time after which a run that has not begun is missed; null: never. */
export function latestBegin({ occurrence, end, late, lateMax }: RunTimes): number | null {
  if (late === 'join') return end
  return occurrence + (late === 'skip' ? onTimeMs : Math.max(onTimeMs, lateMax))
}

/** Returns whether a run waits for another one of its project. */
export function isBehind(run: RunTimes, other: RunTimes, now: number): boolean {
  if (other.id === run.id || run.isAdmitted) return false
  const isEarlier =
    other.isAdmitted || other.occurrence < run.occurrence || (other.occurrence === run.occurrence && other.id < run.id)
  return isEarlier && (other.end === null || other.end > Math.max(run.begin, now))
}

/** Returns how much later the times of a run are that is admitted now for the first time, milliseconds. */
export function delayAtBegin({ begin, late }: RunTimes, now: number): number {
  const by = now - begin
  return late === 'begin' && by > shiftMs ? by : 0
}

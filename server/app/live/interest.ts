// Projects whose live state is watched on any replica: status each second and stills are published for them only.
import type { Bus } from '#server/core/bus.ts'

/** Interval of the check of the subscriptions of this replica, milliseconds. */
const checkMs = 1_000
/** A replica repeats its interest after this time, milliseconds; others forget it after `keepMs`. */
const repeatMs = 10_000
const keepMs = 30_000

export interface Interest {
  isWatched(projectId: number): boolean
  /** Declares interest in projects for `keepMs`. */
  watch(projectIds: readonly number[]): void
  close(): void
}

/** @param subscribed returns the projects whose live channel has subscribers on this replica */
export function createInterest(bus: Bus, subscribed: () => readonly number[]): Interest {
  /** Time until which a project is watched, by `performance.now()`. */
  const until = new Map<number, number>()
  /** Time of the last declaration of this replica. */
  const declared = new Map<number, number>()

  bus.subscribe<readonly number[]>('interest', (ids) => {
    const end = performance.now() + keepMs
    for (const id of ids) until.set(id, end)
  })
  // Declarations sent while the connection was down are lost.
  bus.onConnection((isConnected) => isConnected && declared.clear())
  function watch(ids: readonly number[]): void {
    const now = performance.now()
    const due = ids.filter((id) => now - (declared.get(id) ?? Number.NEGATIVE_INFINITY) >= repeatMs)
    for (const id of due) declared.set(id, now)
    if (due.length > 0) bus.publish('interest', due)
  }
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [id, end] of until) if (end < now) until.delete(id)
    for (const [id, at] of declared) if (at + keepMs < now) declared.delete(id)
    watch(subscribed())
  }, checkMs).unref()
  return {
    isWatched: (id) => (until.get(id) ?? 0) > performance.now(),
    watch,
    close: () => clearInterval(timer),
  }
}

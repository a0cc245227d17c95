// Workload of a cluster: loops of clients that run until the end, and a check of their responses.
import { setTimeout as delay } from 'node:timers/promises'

export interface Workload {
  readonly name: string
  /** Ends the loops. Requests in progress are awaited. */
  stop(): Promise<void>
  /** Returns the violations, after the cluster has recovered. */
  check(): Promise<string[]>
  /** Counts of the client operations, for the report. */
  figure(): string
}

/** Repeats work in several loops until `stop`. @param everyMs pause between two rounds of a loop */
export function loops<T>(of: readonly T[], everyMs: number, work: (one: T, round: number) => Promise<void>) {
  let isOn = true
  const running = of.map(async (one) => {
    for (let round = 0; isOn; round++) {
      await work(one, round)
      await delay(everyMs)
    }
  })
  return async (): Promise<void> => {
    isOn = false
    await Promise.all(running)
  }
}

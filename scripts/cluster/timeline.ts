// Timeline of a run: faults of the cluster, and violations.
const since = performance.now()
const entries: string[] = []

/** Milliseconds since the start of the run. */
export const now = (): number => performance.now() - since

/** Records an event. */
export function note(text: string): void {
  entries.push(`${(now() / 1000).toFixed(2).padStart(8)} s  ${text}`)
}

/** Returns all events, oldest first. */
export const timeline = (): readonly string[] => entries

/** Random numbers of a seed: the same seed gives the same faults (mulberry32). */
export function randomOf(seed: number) {
  let state = seed >>> 0
  /** From 0, below 1. */
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (least: number, most: number): number => least + next() * (most - least),
    pick: <T>(from: readonly [T, ...T[]]): T => from[Math.floor(next() * from.length)] ?? from[0],
    /** A copy in another order. */
    shuffled: <T>(all: readonly T[]): T[] =>
      all
        .map((one) => [next(), one] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, one]) => one),
  }
}
export type Random = ReturnType<typeof randomOf>

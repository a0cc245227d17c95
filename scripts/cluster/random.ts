// Random choices of a run: the same seed gives the same faults.
import { randomOf } from '#server/testing/wild-peer.ts'

/** Returns the choices of a seed. */
export function choicesOf(seed: number) {
  const next = randomOf(seed)
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
export type Choices = ReturnType<typeof choicesOf>

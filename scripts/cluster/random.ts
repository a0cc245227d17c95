// Random choices of a run: the same seed gives the same faults.
import { randomOf } from '#server/testing/wild-peer.ts'

/**
 * Returns a seed for a part of a run, by its name (FNV-1a). Parts do not share a generator: a further fault leaves the times and the
 * order of all others as they are.
 */
export function seedOf(seed: number, ...part: readonly (string | number)[]): number {
  let hash = 0x81_1c_9d_c5
  for (const letter of Buffer.from([seed, ...part].join(' '))) hash = Math.imul(hash ^ letter, 0x01_00_01_93)
  return hash >>> 0
}

/** Returns the choices of a seed. */
export function choicesOf(seed: number) {
  const next = randomOf(seed)
  return {
    between: (least: number, most: number): number => least + next() * (most - least),
    pick: <T>(from: readonly [T, ...T[]]): T => from[Math.floor(next() * from.length)] ?? from[0],
  }
}
export type Choices = ReturnType<typeof choicesOf>

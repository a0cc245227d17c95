// Export of broadcast metrics as CSV, one row for each point of either graph.
import type { Graph } from '#contract/entities/broadcast.ts'
import { toCsv } from '#contract/core/csv.ts'

/** Time with its samples; null for a missing sample. */
export interface Measure {
  readonly time: string
  readonly kbps: number | null
  readonly viewers: number | null
}

/** Merges both graphs into one table, sorted by time. */
export function measuresOf(bitrate: Graph, viewers: Graph | undefined): Measure[] {
  const at = ({ labels, data }: Graph) => new Map(labels.map((label, index) => [label, data[index] ?? null]))
  const [kbps, watching] = [at(bitrate), viewers ? at(viewers) : new Map<number, number | null>()]
  const times = [...new Set([...kbps.keys(), ...watching.keys()])].toSorted((a, b) => a - b)
  return times.map((time) => ({
    time: new Date(time * 1000).toISOString(),
    kbps: kbps.get(time) ?? null,
    viewers: watching.get(time) ?? null,
  }))
}

/** Metrics as CSV. */
export const measuresCsv = (measures: readonly Measure[]): string =>
  toCsv(
    ['time', 'kbps', 'viewers'],
    measures.map(({ time, kbps, viewers }) => [time, kbps, viewers]),
  )

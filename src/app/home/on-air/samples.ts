// Bitrate of the last minutes: from the service until the page opened, then from each status.
import type { OnAir } from '#contract/entities/on-air.ts'
import type { Sample } from '#src/areas/broadcasts/bitrate-graph.tsx'

/** Seconds between two points: a few pixels; drawing more often would dominate the page's load. */
const stepS = 4
/** Seconds in the graph. */
const windowS = 300
/** Seconds without a point after which the page requests the gap from the service. */
export const holeS = 10

/** Adds a sample; returns the same list for a repeated one. */
export function addSample(seen: readonly Sample[], { date_sample, bitrate, status }: OnAir): readonly Sample[] {
  const at = date_sample === null ? 0 : Math.floor(Date.parse(date_sample) / 1000)
  if (status !== 'active' || bitrate === null || at < (seen.at(-1)?.at ?? 0) + stepS) return seen
  return [...seen, { at, kbps: bitrate }].slice(-windowS)
}

/** Unix time of the point after the last gap; 0 without a gap. */
export const afterHole = (seen: readonly Sample[]): number =>
  seen.findLast(({ at }, index) => at - (seen[index - 1]?.at ?? at) > holeS)?.at ?? 0

/** Points as far apart as those of the page: in the average of the graph each has the same weight. */
const thinned = (points: readonly Sample[]): readonly Sample[] => {
  let last = -Infinity
  return points.filter(({ at }) => {
    const isFar = at >= last + stepS
    if (isFar) last = at
    return isFar
  })
}

/**
 * Samples of the page, with those of the service before them and in their gaps.
 * @param all measurements of the service, oldest first
 */
export function lastMinutes(all: readonly Sample[], seen: readonly Sample[]): readonly Sample[] {
  const known = thinned(all)
  const from = (seen.at(-1)?.at ?? 0) - windowS
  const shown = seen.filter(({ at }) => at > from)
  if (shown.length === 0) return known
  return shown.flatMap((point, index) => {
    const before = shown[index - 1]?.at ?? from
    if (point.at - before <= holeS) return [point]
    return [...known.filter(({ at }) => at > before && at < point.at), point]
  })
}

// The bitrate of the last minutes: what was known when the page opened, then what each look at the status brings.
import type { OnAir } from '#contract/entities/on-air.ts'
import type { Sample } from '#src/areas/broadcasts/bitrate-graph.tsx'

/** Seconds between two points: some pixels, and drawing more often would be the most that the page does. */
const stepS = 4
/** Seconds that are looked back. */
const windowS = 300
/** Seconds without a point that the service is asked about: it may know what came in meanwhile. */
export const holeS = 10

/** Adds what a look tells; the same list when it tells nothing new. */
export function addSample(seen: readonly Sample[], { date_sample, bitrate, status }: OnAir): readonly Sample[] {
  const at = date_sample === null ? 0 : Math.floor(Date.parse(date_sample) / 1000)
  if (status !== 'active' || bitrate === null || at < (seen.at(-1)?.at ?? 0) + stepS) return seen
  return [...seen, { at, kbps: bitrate }].slice(-windowS)
}

/** When the last hole ended: the time of the point after it; 0 where there is none. */
export const afterHole = (seen: readonly Sample[]): number =>
  seen.findLast(({ at }, index) => at - (seen[index - 1]?.at ?? at) > holeS)?.at ?? 0

/** What was seen, with what is known of the time before it and of the holes in it. @param known oldest first */
export function lastMinutes(known: readonly Sample[], seen: readonly Sample[]): readonly Sample[] {
  const from = (seen.at(-1)?.at ?? 0) - windowS
  const shown = seen.filter(({ at }) => at > from)
  if (shown.length === 0) return known
  return shown.flatMap((point, index) => {
    const before = shown[index - 1]?.at ?? from
    if (point.at - before <= holeS) return [point]
    return [...known.filter(({ at }) => at > before && at < point.at), point]
  })
}

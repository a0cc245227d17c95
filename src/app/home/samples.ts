// The bitrate of the last minutes: what was known when the page opened, then what each look at the status brings.
import type { OnAir } from '#contract/entities/on-air.ts'
import type { Sample } from '#src/areas/broadcasts/bitrate-graph.tsx'

/** Seconds between two points: a pixel or two, and drawing more often would be the most that the page does. */
const stepS = 2
/** Seconds that are looked back. */
const windowS = 300

/** Adds what a look tells; the same list when it tells nothing new. */
export function addSample(seen: readonly Sample[], { date_sample, bitrate, status }: OnAir): readonly Sample[] {
  const at = date_sample === null ? 0 : Math.floor(Date.parse(date_sample) / 1000)
  if (status !== 'active' || bitrate === null || at < (seen.at(-1)?.at ?? 0) + stepS) return seen
  return [...seen, { at, kbps: bitrate }].slice(-windowS)
}

/** @param known what the service had measured before, oldest first */
export function lastMinutes(known: readonly Sample[], seen: readonly Sample[]): readonly Sample[] {
  const from = (seen.at(-1)?.at ?? 0) - windowS
  const first = seen[0]?.at ?? Infinity
  return [...known.filter(({ at }) => at > from && at < first), ...seen.filter(({ at }) => at > from)]
}

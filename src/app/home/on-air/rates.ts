// What each channel gets, from the bytes that were sent between two looks.
import type { OnAir } from '#contract/entities/on-air.ts'

/** What was sent until a moment. */
export interface Sent {
  /** Milliseconds since 1970. */
  readonly at: number
  /** By restream. */
  readonly bytes: ReadonlyMap<number, number>
}

/** Keyframes come in lumps: over this long they are even. Milliseconds. */
const spanMs = 6_000

/** Adds what a look tells; the same list when it tells nothing new. */
export function addSent(seen: readonly Sent[], { date_sample, restreams }: OnAir): readonly Sent[] {
  const at = date_sample === null ? 0 : Date.parse(date_sample)
  if (at <= (seen.at(-1)?.at ?? 0)) return seen
  const bytes = new Map(restreams.map(({ id, bytes: sent = 0 }) => [id, sent]))
  return [...seen.filter((one) => one.at >= at - spanMs), { at, bytes }]
}

/** kbps that a restream gets; null while that is not known. */
export function rateOf(seen: readonly Sent[], id: number): number | null {
  const last = seen.at(-1)
  const first = seen.find(({ bytes }) => bytes.has(id))
  if (!last || !first || last.at <= first.at) return null
  const sent = (last.bytes.get(id) ?? 0) - (first.bytes.get(id) ?? 0)
  // Bits by milliseconds are kilobits by seconds.
  return sent < 0 ? null : Math.round((sent * 8) / (last.at - first.at))
}

// Bitrate of each channel, from the bytes sent between two samples.
import type { OnAir } from '#contract/entities/on-air.ts'

/** Bytes sent until a moment. */
export interface Sent {
  /** Milliseconds since 1970. */
  readonly at: number
  /** By output id. */
  readonly bytes: ReadonlyMap<number, number>
}

/** Window that evens out keyframes, milliseconds. */
const spanMs = 6_000

/** Adds a sample; returns the same list for a repeated one. */
export function addSent(seen: readonly Sent[], { date_sample, restreams }: OnAir): readonly Sent[] {
  const at = date_sample === null ? 0 : Date.parse(date_sample)
  if (at <= (seen.at(-1)?.at ?? 0)) return seen
  const bytes = new Map(restreams.map(({ id, bytes: sent = 0 }) => [id, sent]))
  return [...seen.filter((one) => one.at >= at - spanMs), { at, bytes }]
}

/** Bitrate of an output in kbps; null while unknown. */
export function rateOf(seen: readonly Sent[], id: number): number | null {
  const last = seen.at(-1)
  const first = seen.find(({ bytes }) => bytes.has(id))
  if (!last || !first || last.at <= first.at) return null
  const sent = (last.bytes.get(id) ?? 0) - (first.bytes.get(id) ?? 0)
  // Bits per millisecond are kilobits per second.
  return sent < 0 ? null : Math.round((sent * 8) / (last.at - first.at))
}

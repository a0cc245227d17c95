// What part of a chart is seen: moved and stretched by fingers and keys, and never more than there is.

/** Seconds, from and to. */
export type Range = readonly [from: number, to: number]

/** A finger: how far from the left edge, and the value that it holds. */
export interface Finger {
  readonly x: number
  readonly value: number
}

/** Not narrower than this, in seconds. */
const narrowest = 5

/** What is seen when every finger still has its value below it: one moves, two stretch as well. */
export function rangeUnder([one, two]: readonly Finger[], width: number, [from, to]: Range): Range {
  if (!one) return [from, to]
  const apart = two ? two.x - one.x : 0
  // Fingers that meet or cross would turn the chart around.
  const stretch = two ? (two.value - one.value) / apart : 0
  const perPixel = stretch > 0 && Number.isFinite(stretch) ? stretch : (to - from) / width
  const start = one.value - perPixel * one.x
  return [start, start + perPixel * width]
}

/** Nearer or farther, with the same moment in its place. @param share of what is seen now @param at default: the middle */
export function stretched([from, to]: Range, share: number, at = (from + to) / 2): Range {
  const factor = Math.max(share, narrowest / Math.max(to - from, 1))
  return [at - (at - from) * factor, at + (to - at) * factor]
}

/** Moved, so that a moment is seen; as it is when it is seen already. */
export function showing([from, to]: Range, at: number): Range {
  if (at >= from && at <= to) return [from, to]
  const half = (to - from) / 2
  return [at - half, at + half]
}

/** Kept within the whole. @returns null when that is all of it */
export function within([from, to]: Range, [first, last]: Range): Range | null {
  const span = Math.max(to - from, narrowest)
  if (span >= last - first) return null
  const start = Math.min(Math.max(from, first), last - span)
  return [start, start + span]
}

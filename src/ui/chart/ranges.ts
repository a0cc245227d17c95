// Visible range of a chart: moved and zoomed by fingers and keys, within the whole.

/** Seconds, from and to. */
export type Range = readonly [from: number, to: number]

/** A finger: distance from the left edge, and the value below it. */
export interface Finger {
  readonly x: number
  readonly value: number
}

/** Minimum width, seconds. */
const narrowest = 5

/** The range in which every finger keeps its value below it: one finger moves, two also zoom. */
export function rangeUnder([one, two]: readonly Finger[], width: number, [from, to]: Range): Range {
  if (!one) return [from, to]
  const apart = two ? two.x - one.x : 0
  // Fingers that meet or cross would mirror the chart.
  const stretch = two ? (two.value - one.value) / apart : 0
  const perPixel = stretch > 0 && Number.isFinite(stretch) ? stretch : (to - from) / width
  const start = one.value - perPixel * one.x
  return [start, start + perPixel * width]
}

/**
 * Zooms in or out and keeps a moment in place.
 * @param share factor of the visible width
 * @param at default: the middle
 */
export function stretched([from, to]: Range, share: number, at = (from + to) / 2): Range {
  const factor = Math.max(share, narrowest / Math.max(to - from, 1))
  return [at - (at - from) * factor, at + (to - at) * factor]
}

/** Moves the range until a moment is visible; unchanged when it is visible already. */
export function showing([from, to]: Range, at: number): Range {
  if (at >= from && at <= to) return [from, to]
  const half = (to - from) / 2
  return [at - half, at + half]
}

/**
 * Limits the range to the whole.
 * @returns null for the whole
 */
export function within([from, to]: Range, [first, last]: Range): Range | null {
  const span = Math.max(to - from, narrowest)
  if (span >= last - first) return null
  const start = Math.min(Math.max(from, first), last - span)
  return [start, start + span]
}

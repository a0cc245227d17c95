// Points of a chart, and the figures that summarise them.

/** A measurement; a null value is a gap. */
export interface ChartPoint {
  /** Unix seconds. */
  readonly at: number
  readonly value: number | null
}

/**
 * The points, with a gap wherever nothing was measured for too long.
 * @param gap seconds without a point that count as a gap, unless the neighbouring points are as far apart: old values
 * are stored more coarsely
 */
export function withGaps(points: readonly ChartPoint[], gap: number): readonly ChartPoint[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1]
    if (!before || point.at - before.at <= Math.max(gap, 4 * usual(points, index))) return [point]
    return [{ at: (before.at + point.at) / 2, value: null }, point]
  })
}

/** Seconds between the points around a step. */
function usual(points: readonly ChartPoint[], index: number): number {
  const far = (at: number) => (points[at]?.at ?? 0) - (points[at - 1]?.at ?? Infinity)
  return Math.max(index > 1 ? far(index - 1) : 0, index + 1 < points.length ? far(index + 1) : 0)
}

/** Mean, minimum and maximum; null without measurements. */
export function figuresOf(
  points: readonly ChartPoint[],
): { readonly mean: number; readonly min: number; readonly max: number } | null {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
  if (values.length === 0) return null
  return {
    mean: Math.round(values.reduce((sum, value) => sum + value, 0) / values.length),
    min: values.reduce((a, b) => Math.min(a, b)),
    max: values.reduce((a, b) => Math.max(a, b)),
  }
}

/** The next readable number: 1, 2 or 5 and zeros, or 4, 6, 8. */
export function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 10)))
  return [1, 2, 4, 5, 6, 8, 10].map((step) => step * unit).find((step) => step >= value) ?? 10 * unit
}

/** Target of a key press from a point: by one, by ten, or to an end. Null for any other key. */
export function stepOf(key: string, index: number | null, last: number): number | null {
  const from = index ?? last
  const to: Readonly<Record<string, number>> = {
    ArrowLeft: from - 1,
    ArrowRight: from + 1,
    PageDown: from - 10,
    PageUp: from + 10,
    Home: 0,
    End: last,
  }
  const next = to[key]
  return next === undefined ? null : Math.min(Math.max(next, 0), last)
}

// Samples as a line to draw, with the figures that say the same.

export interface Sample {
  /** Unix seconds. */
  readonly at: number
  readonly kbps: number
}

export interface Line {
  /** An SVG path, one stretch for each time without a gap. */
  readonly path: string
  readonly from: number
  readonly to: number
  /** What the upper edge stands for, kbps. */
  readonly top: number
  readonly mean: number
  readonly min: number
  readonly max: number
}

interface Frame {
  readonly width: number
  readonly height: number
  /** Seconds without a sample that are a gap, unless samples before or after are as far from each other. */
  readonly gap: number
}

/** @returns null without samples */
export function lineOf(samples: readonly Sample[], { width, height, gap }: Frame): Line | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last) return null
  const rates = samples.map(({ kbps }) => kbps)
  const max = rates.reduce((a, b) => Math.max(a, b), 0)
  const top = roundUp(max)
  const span = Math.max(last.at - first.at, 1)
  const points = thin(samples, width / 2, gap)
  const path = points
    .map(({ at, kbps }, index) => {
      const before = points[index - 1]
      const isNew = before === undefined || at - before.at > Math.max(gap, 4 * usual(points, index))
      const place = `${round(((at - first.at) / span) * width)} ${round(height * (1 - kbps / top))}`
      return `${isNew ? 'M' : 'L'}${place}${isNew ? 'h0' : ''}`
    })
    .join('')
  const mean = Math.round(rates.reduce((sum, kbps) => sum + kbps, 0) / rates.length)
  return { path, from: first.at, to: last.at, top, mean, min: rates.reduce((a, b) => Math.min(a, b), max), max }
}

/** Seconds between the points around a step: old samples are coarser than new ones. */
function usual(points: readonly Sample[], index: number): number {
  const far = (at: number) => (points[at]?.at ?? 0) - (points[at - 1]?.at ?? Infinity)
  return Math.max(index > 1 ? far(index - 1) : 0, index + 1 < points.length ? far(index + 1) : 0)
}

/** Not more points than can be seen: each the mean of its neighbours. */
function thin(samples: readonly Sample[], most: number, gap: number): readonly Sample[] {
  if (samples.length <= most) return samples
  const size = Math.ceil(samples.length / most)
  const thinned: Sample[] = []
  let group: Sample[] = []
  for (const sample of samples) {
    const before = group.at(-1)
    if (before && (group.length === size || sample.at - before.at > Math.max(gap, 60))) {
      thinned.push(meanOf(group))
      group = []
    }
    group.push(sample)
  }
  return [...thinned, meanOf(group)]
}

const meanOf = (group: readonly Sample[]): Sample => ({
  at: group.reduce((sum, { at }) => sum + at, 0) / group.length,
  kbps: group.reduce((sum, { kbps }) => sum + kbps, 0) / group.length,
})

/** The next number that reads well: 1, 2 or 5 and zeros, or 4, 6, 8. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 10)))
  return [1, 2, 4, 5, 6, 8, 10].map((step) => step * unit).find((step) => step >= value) ?? 10 * unit
}

const round = (value: number) => Math.round(value * 10) / 10

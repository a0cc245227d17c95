// The answer of the graph as lines to draw.
import type { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import type { Output } from '#contract/core/operation.ts'

/** A place over time. */
export interface Line {
  readonly name: string
  /** An SVG path: one stretch for each time without a gap. */
  readonly path: string
  /** Null where nothing was reported at all. */
  readonly mean: number | null
  readonly max: number | null
}

/** Lines in a frame; 100 percent is its upper edge. */
export function linesOf(
  { countries, timeLine }: Output<typeof rtmpServers.graph>,
  { width, height }: { readonly width: number; readonly height: number },
): Line[] {
  const step = width / Math.max(timeLine.length - 1, 1)
  return countries.flatMap(({ countryName, cities }) =>
    cities.map(({ cityName, chartData }) => {
      const known = chartData.filter((value) => value !== null)
      return {
        name: [cityName, countryName].filter(Boolean).join(', '),
        path: pathOf(chartData, (index, value) => `${round(index * step)} ${round(height * (1 - value / 100))}`),
        mean: known.length === 0 ? null : round(known.reduce((sum, value) => sum + value, 0) / known.length),
        max: known.length === 0 ? null : Math.max(...known),
      }
    }),
  )
}

function pathOf(values: readonly (number | null)[], pointAt: (index: number, value: number) => string): string {
  return values
    .flatMap((value, index) => {
      if (value === null) return []
      const isNew = index === 0 || values[index - 1] === null
      const isAlone = isNew && (values[index + 1] ?? null) === null
      // A value with a gap on both sides is a dot: round ends make it one.
      return [`${isNew ? 'M' : 'L'}${pointAt(index, value)}${isAlone ? 'h0' : ''}`]
    })
    .join('')
}

const round = (value: number) => Math.round(value * 10) / 10

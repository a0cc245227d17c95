// Converts the load graph of the service into chart lines.
import type { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import type { Output } from '#contract/core/operation.ts'
import type { ChartPoint } from '#src/ui/chart/points.ts'

/** Load of a location over time in percent; null for missing reports. */
export interface Line {
  readonly name: string
  readonly points: readonly ChartPoint[]
}

export function linesOf({ countries, timeLine }: Output<typeof rtmpServers.graph>): Line[] {
  return countries.flatMap(({ countryName, cities }) =>
    cities.map(({ cityName, chartData }) => ({
      name: [cityName, countryName].filter(Boolean).join(', '),
      points: timeLine.map((at, index) => ({ at, value: chartData[index] ?? null })),
    })),
  )
}

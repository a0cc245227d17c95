// Graphs of the load of ingest servers, by city.
import type { Interval } from '#contract/entities/ingest.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { shared } from '#server/core/shared.ts'
import { type Loads, serverQuality, sumLoads } from './health.ts'
import { listLoadsByMinute } from './nodes-store.ts'
import { listServers } from './servers.ts'

/** Points of a graph: an hour has a point per minute, a day per 24 minutes. */
export const stretches = 60

/** A city with a value for each point; null where none of its servers reported. */
export interface CityLine {
  readonly country: string
  readonly city: string
  readonly values: readonly (number | null)[]
}

/**
 * Returns averages of the current servers, per city.
 * @param valueOf computes the value from the average loads of a server at a point
 * @returns the times of the points in Unix seconds, and a line per city
 */
export async function loadGraph(
  services: Pick<Services, 'db' | 'clock'>,
  hours: Interval,
  valueOf: (loads: Loads) => number,
): Promise<{ readonly timeLine: readonly number[]; readonly places: readonly CityLine[] }> {
  const step = hours * 60
  // Aligned to the step, so that the points of the next request are the same. The last point is not complete.
  const end = (Math.floor(services.clock.now().getTime() / 1000 / step) + 1) * step
  const start = end - stretches * step
  const timeLine = Array.from({ length: stretches }, (_, index) => start + index * step)
  const { servers } = await listServers(services)
  const sums = new Map<number, Sum[]>()
  for (const row of await minutes.ask(services, iso(new Date(start * 1000)))) {
    const at = Math.floor((Date.parse(`${row.minute}:00.000Z`) / 1000 - start) / step)
    const line = sums.get(row.node_id) ?? []
    sums.set(row.node_id, line)
    line[at] = plus(line[at], row)
  }
  /** Returns the value of a machine at a point; none where its nodes did not report. */
  const valueAt = (nodeIds: readonly number[], at: number): number[] => {
    const loads = nodeIds.flatMap((id) => averageOf(sums.get(id)?.[at]))
    return loads.length === 0 ? [] : [valueOf(sumLoads(loads))]
  }
  const cities = Map.groupBy(servers, ({ country, city }) => `${country} ${city}`)
  const places = [...cities.values()].flatMap((here) =>
    here.slice(0, 1).map(({ country, city }) => ({
      country,
      city,
      values: timeLine.map((_, at) => mean(here.flatMap(({ nodeIds }) => valueAt(nodeIds, at)))),
    })),
  )
  return { timeLine, places: places.toSorted((a, b) => order(a).localeCompare(order(b))) }
}

/** Value of a quality graph. */
export const qualityOf = (loads: Loads): number => serverQuality(loads)

interface Sum extends Loads {
  readonly minutes: number
}

const order = ({ country, city }: CityLine) => `${country} ${city}`
const none: Sum = { network: 0, cpu: 0, ram: 0, delivered: 0, minutes: 0 }

const plus = (sum: Sum = none, row: Loads): Sum => ({
  network: sum.network + row.network,
  cpu: sum.cpu + row.cpu,
  ram: sum.ram + row.ram,
  delivered: sum.delivered + row.delivered,
  minutes: sum.minutes + 1,
})

function averageOf(sum: Sum | undefined): Loads[] {
  if (!sum) return []
  const { minutes, network, cpu, ram, delivered } = sum
  return [{ network: network / minutes, cpu: cpu / minutes, ram: ram / minutes, delivered: delivered / minutes }]
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10

/** Averages of each node per minute since a time, cached for 5 s. `reportNode` clears the cache. */
export const minutes = shared(5_000, ({ db }, since: string) => listLoadsByMinute(db, since))

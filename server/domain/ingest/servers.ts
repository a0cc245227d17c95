// Ingest servers as people choose them: who reports, how busy each is and was, and how healthy that makes it.
import type { Health, Interval, NoServers } from '#contract/entities/ingest.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { shared } from '#server/core/shared.ts'
import type { Db } from '#server/db/open.ts'
import { goneAfterMs, healthOf, type Loads, serverQuality, staleAfterMs } from './health.ts'
import type { NodeReport } from './report.ts'

type Part = Pick<Services, 'db' | 'clock'>
type Metric = 'network' | 'cpu' | 'ram'
type About = Omit<NodeReport, 'node' | 'time' | 'load'>

/** A server that has reported lately. */
export interface Server extends About {
  readonly id: number
  readonly dateReport: string
  /** It has missed reports: its health is bad, and it is gone soon. */
  readonly isStale: boolean
  readonly quality: number
  readonly health: Health
  /** Percent, over the interval that was asked for. */
  readonly loads: Readonly<Record<Metric, { readonly avg: number; readonly max: number }>>
}

const hourMs = 3_600_000
/** What quality is judged by. */
const recentMs = 300_000

/**
 * The servers, the best first.
 * @param hours what loads are summed up over
 * @returns with the reason when there is none
 */
export async function listServers(
  { db, clock }: Part,
  hours: Interval = 1,
): Promise<{ readonly servers: readonly Server[]; readonly reason: NoServers | null }> {
  const now = clock.now()
  const rows = await db.selectFrom('ingest_nodes').selectAll().execute()
  const here = rows.filter((row) => row.date_report > iso(later(now, -goneAfterMs)))
  if (here.length === 0) return { servers: [], reason: rows.length === 0 ? 'none_reported' : 'all_silent' }
  const recent = await sums.ask({ db, clock }, recentMs)
  const summed = await sums.ask({ db, clock }, hours * hourMs)
  const servers = here.map(({ id, about, date_report }) => {
    const isStale = date_report < iso(later(now, -staleAfterMs))
    const lately = recent.get(id)
    const quality = isStale || !lately ? 0 : serverQuality(averagesOf(lately))
    return {
      ...(JSON.parse(about) as About),
      id,
      dateReport: date_report,
      isStale,
      quality,
      health: healthOf(quality),
      loads: loadsOf(summed.get(id)),
    }
  })
  return { servers: servers.toSorted((a, b) => b.quality - a.quality || a.id - b.id), reason: null }
}

/** Servers that streams can be fetched from now. */
export const fetchable = (servers: readonly Server[]): Server[] =>
  servers.filter(({ pull, isStale }) => pull !== undefined && !isStale)

/** Where a node is, whether or not it still reports. */
export interface NodePlace extends Pick<About, 'city' | 'country'> {
  readonly id: number
  readonly name: string
  readonly host: string
}

/** Every node that has ever reported. */
export async function listNodes(db: Db): Promise<NodePlace[]> {
  const rows = await db.selectFrom('ingest_nodes').select(['id', 'name', 'about']).execute()
  return rows.map(({ id, name, about }) => {
    const { city, country, rtmp, pingHost } = JSON.parse(about) as About
    return { id, name, city, country, host: URL.parse(rtmp ?? '')?.hostname ?? pingHost }
  })
}

/** Where a broadcast is; undefined for a node that has never reported, and for none. */
export const nodeOnAir = async (db: Db, onAir: { readonly node: string } | undefined): Promise<NodePlace | undefined> =>
  onAir && (await listNodes(db)).find(({ name }) => name === onAir.node)

/** Every page of stream setup asks, and all get the same. `reportNode` forgets. */
export const sums = shared(5_000, sumUp)

/** Averages and peaks of every node since a while. */
async function sumUp({ db, clock }: Part, ms: number) {
  const rows = await db
    .selectFrom('ingest_reports')
    .select(({ fn }) => [
      'node_id',
      fn.avg<number>('network').as('network_avg'),
      fn.max('network').as('network_max'),
      fn.avg<number>('cpu').as('cpu_avg'),
      fn.max('cpu').as('cpu_max'),
      fn.avg<number>('ram').as('ram_avg'),
      fn.max('ram').as('ram_max'),
      fn.avg<number>('delivered').as('delivered_avg'),
    ])
    .where('date_report', '>', iso(later(clock.now(), -ms)))
    .groupBy('node_id')
    .execute()
  return new Map(rows.map((row) => [row.node_id, row]))
}
type Summed = Awaited<ReturnType<typeof sumUp>> extends Map<number, infer Row> ? Row : never

const averagesOf = (row: Summed): Loads => ({
  network: row.network_avg,
  cpu: row.cpu_avg,
  ram: row.ram_avg,
  delivered: row.delivered_avg,
})

const loadsOf = (row: Summed | undefined): Server['loads'] => ({
  network: { avg: tenths(row?.network_avg), max: tenths(row?.network_max) },
  cpu: { avg: tenths(row?.cpu_avg), max: tenths(row?.cpu_max) },
  ram: { avg: tenths(row?.ram_avg), max: tenths(row?.ram_max) },
})
const tenths = (value = 0) => Math.round(value * 10) / 10

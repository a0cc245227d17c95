// Ingest servers with their loads and their health.
import type { Health, Interval, NodeState, NoServers } from '#contract/entities/ingest.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { shared } from '#server/core/shared.ts'
import type { ReadDb } from '#server/db/open.ts'
import { goneAfterMs, healthOf, type Loads, serverQuality, staleAfterMs } from './health.ts'
import { listLoads, listNodeRows, type LoadRow } from './nodes-store.ts'
import type { NodeReport } from './report.ts'

type ServerServices = Pick<Services, 'db' | 'clock'>
type Metric = 'network' | 'cpu' | 'ram'
/** What a node has reported about itself. */
export type NodeAbout = Omit<NodeReport, 'node' | 'time' | 'load'>

/** Returns the state of a node. @param ageMs age of its last report */
const nodeState = ({ drainUntil, full }: Pick<NodeAbout, 'drainUntil' | 'full'>, ageMs: number): NodeState =>
  ageMs > staleAfterMs ? 'silent' : typeof drainUntil === 'number' ? 'draining' : full ? 'full' : 'accepting'

/** A server that reported in the last ten minutes. */
export interface Server extends NodeAbout {
  readonly id: number
  readonly dateReport: string
  /** Reports are missing: its health is bad. */
  readonly isStale: boolean
  readonly quality: number
  readonly health: Health
  /** Percent, over the requested interval. */
  readonly loads: Readonly<Record<Metric, { readonly avg: number; readonly max: number }>>
}

const hourMs = 3_600_000
/** Period that the quality is computed from. */
const recentMs = 300_000

/**
 * Returns the servers, the best first.
 * @param hours interval of the loads
 * @returns `reason`: why the list is empty
 */
export async function listServers(
  { db, clock }: Reading<ServerServices>,
  hours: Interval = 1,
): Promise<{ readonly servers: readonly Server[]; readonly reason: NoServers | null }> {
  const now = clock.now()
  const rows = await listNodeRows(db)
  const here = rows.filter((row) => row.date_report > iso(later(now, -goneAfterMs)))
  if (here.length === 0) return { servers: [], reason: rows.length === 0 ? 'none_reported' : 'all_silent' }
  const recent = await sums.ask({ db, clock }, recentMs)
  const summed = await sums.ask({ db, clock }, hours * hourMs)
  const servers = here.map(({ id, about, date_report }) => {
    const isStale = date_report < iso(later(now, -staleAfterMs))
    const lately = recent.get(id)
    const quality = isStale || !lately ? 0 : serverQuality(averagesOf(lately))
    return {
      ...(JSON.parse(about) as NodeAbout),
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

/**
 * Returns the servers for a list that users read. Without a server that reports, an occupied port of this machine's relay is the
 * reason, and silent servers are left out.
 * @param hours interval of the loads
 */
export async function listServersOrCause(
  services: Reading<ServerServices & Pick<Services, 'relay'>>,
  hours: Interval = 1,
): Promise<{
  readonly servers: readonly Server[]
  /** Fields of the response beside the servers. */
  readonly cause: { readonly reason: NoServers | null; readonly ports?: number[] }
}> {
  const { servers, reason } = await listServers(services, hours)
  const ports = services.relay.takenPorts()
  if (ports === null || servers.some(({ isStale }) => !isStale)) return { servers, cause: { reason } }
  return { servers: [], cause: { reason: 'port_taken', ports: [...ports] } }
}

/** Returns the servers that players can fetch streams from. */
export const fetchable = (servers: readonly Server[]): Server[] =>
  servers.filter(({ pull, isStale }) => pull !== undefined && !isStale)

/** Location of a node, also of one that no longer reports. */
export interface NodeLocation extends Pick<NodeAbout, 'city' | 'country'> {
  readonly id: number
  readonly name: string
  readonly host: string
}

/** Returns every node that has ever reported. */
export async function listNodes(db: ReadDb): Promise<NodeLocation[]> {
  const rows = await listNodeRows(db)
  return rows.map(({ id, name, about }) => {
    const { city, country, rtmp, pingHost } = JSON.parse(about) as NodeAbout
    return { id, name, city, country, host: URL.parse(rtmp ?? '')?.hostname ?? pingHost }
  })
}

/** Returns the location of a broadcast's node; undefined off air, and for a node that has never reported. */
export const nodeOnAir = async (
  db: ReadDb,
  onAir: { readonly node: string } | undefined,
): Promise<NodeLocation | undefined> => onAir && (await listNodes(db)).find(({ name }) => name === onAir.node)

/** A relay node with its state, and its loads over five minutes, percent; null: it reported none. */
export interface NodeNow {
  readonly node: string
  readonly about: NodeAbout
  readonly state: NodeState
  readonly dateReport: string
  /** Age of the last report. */
  readonly ageMs: number
  readonly loads: Readonly<Record<Metric, number>> | null
}

/** Returns the nodes that reported within a time, milliseconds. */
export async function listNodesNow({ db, clock }: Reading<ServerServices>, withinMs: number): Promise<NodeNow[]> {
  const now = clock.now().getTime()
  const recent = await sums.ask({ db, clock }, recentMs)
  return (await listNodeRows(db)).flatMap(({ id, name: node, about: text, date_report: dateReport }) => {
    const ageMs = now - Date.parse(dateReport)
    if (ageMs > withinMs) return []
    const about = JSON.parse(text) as NodeAbout
    const row = recent.get(id)
    const loads = row ? { network: row.network_avg, cpu: row.cpu_avg, ram: row.ram_avg } : null
    return [{ node, about, state: nodeState(about, ageMs), dateReport, ageMs, loads }]
  })
}

/** Averages and peaks of each node over the last milliseconds, cached for 5 s. `reportNode` clears the cache. */
export const sums = shared(5_000, async ({ db, clock }: Reading<ServerServices>, ms: number) => {
  const rows = await listLoads(db, iso(later(clock.now(), -ms)))
  return new Map(rows.map((row) => [row.node_id, row]))
})

const averagesOf = (row: LoadRow): Loads => ({
  network: row.network_avg,
  cpu: row.cpu_avg,
  ram: row.ram_avg,
  delivered: row.delivered_avg,
})

const loadsOf = (row: LoadRow | undefined): Server['loads'] => ({
  network: { avg: tenths(row?.network_avg), max: tenths(row?.network_max) },
  cpu: { avg: tenths(row?.cpu_avg), max: tenths(row?.cpu_max) },
  ram: { avg: tenths(row?.ram_avg), max: tenths(row?.ram_max) },
})
/** Rounds a load to tenths of a percent. */
export const tenths = (value = 0) => Math.round(value * 10) / 10

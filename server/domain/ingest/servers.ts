// Ingest servers with their loads and their health.
import type { Health, Interval, NodeState, NoServers } from '#contract/entities/ingest.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { shared } from '#server/core/shared.ts'
import type { ReadDb } from '#server/db/open.ts'
import { goneAfterMs, healthOf, type Loads, serverQuality, staleAfterMs, sumLoads } from './health.ts'
import { listLoads, listNodeRows, type LoadRow } from './nodes-store.ts'
import type { NodeReport } from './report.ts'

type ServerServices = Pick<Services, 'db' | 'clock'>
type Metric = 'network' | 'cpu' | 'ram'
/** What a node has reported about itself. */
export type NodeAbout = Omit<NodeReport, 'node' | 'time' | 'load'>

/** Returns the state of a node. @param ageMs age of its last report */
const nodeState = ({ drainUntil, full }: Pick<NodeAbout, 'drainUntil' | 'full'>, ageMs: number): NodeState =>
  ageMs > staleAfterMs ? 'silent' : typeof drainUntil === 'number' ? 'draining' : full ? 'full' : 'accepting'

/** A machine with relay nodes, or one node, that reported in the last ten minutes. */
export interface Server extends NodeAbout {
  readonly id: number
  readonly dateReport: string
  /** Reports are missing: its health is bad. */
  readonly isStale: boolean
  readonly quality: number
  readonly health: Health
  /** Percent, over the requested interval. */
  readonly loads: Readonly<Record<Metric, { readonly avg: number; readonly max: number }>>
  /** Ids of its nodes, whose loads are its own. */
  readonly nodeIds: readonly number[]
}

const hourMs = 3_600_000
/** Period that the quality is computed from. */
const recentMs = 300_000

/** Returns the machines, the best first. A machine has the addresses of a node that accepts broadcasts. @param hours interval of the loads */
export async function listServers(
  { db, clock }: Reading<ServerServices>,
  hours: Interval = 1,
): Promise<{ readonly servers: readonly Server[]; readonly reason: NoServers | null }> {
  const { nodes, reason, ids } = await listReporting({ db, clock }, hours)
  const servers = [...Map.groupBy(nodes, ({ machine }) => machine)].map(([machine, all]) => {
    const fresh = all.filter(({ isStale }) => !isStale)
    const members = fresh.length > 0 ? fresh : all
    return mergeNodes(ids.get(machine) ?? 0, members.toSorted(byUse))
  })
  return { servers: servers.toSorted(byQuality), reason }
}

/** Returns the nodes, the best first: each has addresses of its own for players. */
export async function listNodeServers(services: Reading<ServerServices>): Promise<readonly Server[]> {
  const { nodes } = await listReporting(services, 1)
  return nodes.map((node) => mergeNodes(node.id, [node])).toSorted(byQuality)
}

const byQuality = (a: Server, b: Server): number => b.quality - a.quality || a.id - b.id

/** A node that reported in the last ten minutes. */
interface Reporting {
  readonly id: number
  readonly machine: string
  readonly about: NodeAbout
  readonly dateReport: string
  readonly isStale: boolean
  readonly recent: LoadRow | undefined
  readonly summed: LoadRow | undefined
}

/** @returns `reason`: why there is none; `ids`: id of each machine, that of its oldest node */
async function listReporting({ db, clock }: Reading<ServerServices>, hours: Interval) {
  const now = clock.now()
  const rows = await listNodeRows(db)
  const here = rows.filter((row) => row.date_report > iso(later(now, -goneAfterMs)))
  const reason: NoServers | null = here.length > 0 ? null : rows.length === 0 ? 'none_reported' : 'all_silent'
  const recent = await sums.ask({ db, clock }, recentMs)
  const summed = await sums.ask({ db, clock }, hours * hourMs)
  const ids = new Map<string, number>()
  for (const { id, name, about } of rows.toSorted((a, b) => b.id - a.id)) ids.set(machineIn(name, about), id)
  const nodes = here.map(({ id, name, about, date_report }): Reporting => ({
    id,
    machine: machineIn(name, about),
    about: JSON.parse(about) as NodeAbout,
    dateReport: date_report,
    isStale: date_report < iso(later(now, -staleAfterMs)),
    recent: recent.get(id),
    summed: summed.get(id),
  }))
  return { nodes, reason, ids }
}

const machineIn = (name: string, about: string): string => (JSON.parse(about) as NodeAbout).machine ?? name

/** Nodes that accept broadcasts first, then the newest. */
const byUse = (a: Reporting, b: Reporting): number =>
  Number(typeof a.about.drainUntil === 'number') - Number(typeof b.about.drainUntil === 'number') || b.id - a.id

/** @param nodes at least one; the first gives the addresses */
function mergeNodes(id: number, nodes: readonly Reporting[]): Server {
  const [lead] = nodes
  if (!lead) throw new Error('A machine without nodes')
  const recent = nodes.flatMap((node) => node.recent ?? [])
  const quality = lead.isStale || recent.length === 0 ? 0 : serverQuality(sumLoads(recent.map(averagesOf)))
  const slots = nodes.flatMap(({ about }) => about.transcoders ?? [])
  const sum = (of: 'max' | 'free') => slots.reduce((total, one) => total + one[of], 0)
  return {
    ...lead.about,
    ...(slots.length > 0 && { transcoders: { max: sum('max'), free: sum('free') } }),
    full: nodes.every(({ about }) => about.full),
    id,
    dateReport: lead.dateReport,
    isStale: lead.isStale,
    quality,
    health: healthOf(quality),
    loads: loadsOf(nodes.flatMap(({ summed }) => summed ?? [])),
    nodeIds: nodes.map((node) => node.id),
  }
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

function loadsOf(rows: readonly LoadRow[]): Server['loads'] {
  const none = { network: 0, cpu: 0, ram: 0, delivered: 100 }
  const avg = rows.length === 0 ? none : sumLoads(rows.map(averagesOf))
  const peaks = rows.map((row) => ({ ...none, network: row.network_max, cpu: row.cpu_max, ram: row.ram_max }))
  const max = rows.length === 0 ? none : sumLoads(peaks)
  const both = (metric: Metric) => ({ avg: tenths(avg[metric]), max: tenths(max[metric]) })
  return { network: both('network'), cpu: both('cpu'), ram: both('ram') }
}

/** Rounds a load to tenths of a percent. */
export const tenths = (value = 0) => Math.round(value * 10) / 10

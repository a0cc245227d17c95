// Health of ingest servers: pure rules.
//
// Load: the maximum of network, CPU and memory, averaged over five minutes. Each percent above 50 costs two points. Loss:
// each percent of lost packets costs five points, each reconnect to a platform five more. Quality is 100 minus the larger
// of the two costs.
import type { Health } from '#contract/entities/ingest.ts'

/** A server without a report for this long, milliseconds, has bad health. Nodes report every 30 seconds. */
export const staleAfterMs = 90_000
/** A server without a report for this long, milliseconds, is not offered. Without a renewal its broadcasts end. */
export const goneAfterMs = 600_000

const freePercent = 50
const pointsPerBusyPercent = 2
const pointsPerLostPercent = 5
const pointsPerReconnect = 5

/** Loads of a server, percent. `delivered`: packets that arrived, percent. */
export interface Loads {
  readonly network: number
  readonly cpu: number
  readonly ram: number
  readonly delivered: number
}

/** Returns the loads of a machine from those of its nodes, at least one: the link is shared, and each has a thread of its own. */
export function sumLoads(nodes: readonly Loads[]): Loads {
  const sum = (of: keyof Loads) => nodes.reduce((total, loads) => total + loads[of], 0)
  return {
    network: Math.min(100, sum('network')),
    cpu: sum('cpu') / nodes.length,
    ram: Math.max(...nodes.map(({ ram }) => ram)),
    delivered: sum('delivered') / nodes.length,
  }
}

/** Returns the quality of a server, 0 to 100, from its recent loads. */
export function serverQuality({ network, cpu, ram, delivered }: Loads): number {
  const busy = Math.max(network, cpu, ram)
  return points(Math.min(100 - (busy - freePercent) * pointsPerBusyPercent, deliveredPoints(delivered)))
}

/** Returns the quality of the route from a server to a platform, 0 to 100. */
export const platformQuality = (delivered: number, reconnects: number): number =>
  points(deliveredPoints(delivered) - reconnects * pointsPerReconnect)

/** Returns the health for a quality: good from 70, problem from 40, else bad. */
export function healthOf(quality: number): Health {
  if (quality >= 70) return 'good'
  return quality >= 40 ? 'problem' : 'bad'
}

const deliveredPoints = (delivered: number) => 100 - (100 - delivered) * pointsPerLostPercent
const points = (value: number) => Math.round(Math.min(Math.max(value, 0), 100))

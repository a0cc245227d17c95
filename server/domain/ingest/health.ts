// How healthy an ingest server is. Pure rules, so that they can be read and tested as a table.
//
// Busy: the largest of network, CPU and memory, on average over the last five minutes. Up to half is free of charge, the
// other half takes two points a percent. Lost: each percent of packets that did not get to where they were sent takes
// five points, each reconnect to a platform five more. The quality is what the worse of the two leaves of 100.
import type { Health } from '#contract/entities/ingest.ts'

/** Without a report for so long, a server counts as bad. Nodes report every 30 seconds. */
export const staleAfterMs = 90_000
/** Without a report for so long, milliseconds, a server is not offered, and without a renewal its broadcasts end. */
export const goneAfterMs = 600_000

const freePercent = 50
const pointsPerBusyPercent = 2
const pointsPerLostPercent = 5
const pointsPerReconnect = 5

/** Loads of a server in percent, `delivered` the percent of packets that arrived. */
export interface Loads {
  readonly network: number
  readonly cpu: number
  readonly ram: number
  readonly delivered: number
}

/** Quality of a server, 0 to 100, by its loads of the last minutes. */
export function serverQuality({ network, cpu, ram, delivered }: Loads): number {
  const busy = Math.max(network, cpu, ram)
  return points(Math.min(100 - (busy - freePercent) * pointsPerBusyPercent, deliveredPoints(delivered)))
}

/** Quality of the way from a server to one platform, 0 to 100. */
export const platformQuality = (delivered: number, reconnects: number): number =>
  points(deliveredPoints(delivered) - reconnects * pointsPerReconnect)

/** A quality as a word: good from 70 on, a problem from 40 on. */
export function healthOf(quality: number): Health {
  if (quality >= 70) return 'good'
  return quality >= 40 ? 'problem' : 'bad'
}

const deliveredPoints = (delivered: number) => 100 - (100 - delivered) * pointsPerLostPercent
const points = (value: number) => Math.round(Math.min(Math.max(value, 0), 100))

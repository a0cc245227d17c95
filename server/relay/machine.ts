// Load and name of the machine.
import { cpus, freemem, hostname, totalmem } from 'node:os'
import type { Totals } from './totals.ts'

/** Shares of the machine in percent; of the network, of a link of a gigabit per second. */
export interface MachineLoad {
  readonly cpu: number
  readonly ram: number
  readonly network: number
  /** Share of delivered packets. */
  readonly delivered: number
}

const linkBitsPerSecond = 1e9
const percent = (share: number): number => Math.min(100, Math.max(0, Math.round(share * 100)))

const cpuTimes = () => {
  let [idle, total] = [0, 0]
  for (const { times } of cpus()) {
    idle += times.idle
    total += times.user + times.nice + times.sys + times.irq + times.idle
  }
  return { idle, total }
}

/**
 * Creates a function that measures the load since its last call.
 * @param totals traffic of the relay since its start
 */
export function machineLoad(totals: () => Totals): () => MachineLoad {
  let before = { ...cpuTimes(), ...totals(), at: Date.now() }
  return () => {
    const now = { ...cpuTimes(), ...totals(), at: Date.now() }
    const total = Math.max(1, now.total - before.total)
    const seconds = Math.max(0.001, (now.at - before.at) / 1000)
    const sent = now.packets - before.packets + now.dropped - before.dropped
    const load = {
      cpu: percent(1 - (now.idle - before.idle) / total),
      ram: percent(1 - freemem() / totalmem()),
      network: percent(((now.bytes - before.bytes) * 8) / seconds / linkBitsPerSecond),
      delivered: percent(sent === 0 ? 1 : (now.packets - before.packets) / sent),
    }
    before = now
    return load
  }
}

/** Returns the host name as a node name: lower-case letters, digits, dots and hyphens. */
export function machineName(): string {
  const name = hostname()
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .replace(/^[^a-z0-9]+/, '')
  return (name || 'relay').slice(0, 64)
}

// Load and name of a node.
import { freemem, hostname, totalmem } from 'node:os'
import { threadLoad } from './capacity.ts'
import type { Totals } from './totals.ts'

/** Loads in percent. */
export interface NodeLoad {
  /** Of the thread that carries the media. */
  readonly cpu: number
  /** Of the machine's memory. */
  readonly ram: number
  /** Of a link of a gigabit per second. */
  readonly network: number
  /** Share of delivered packets. */
  readonly delivered: number
}

const linkBitsPerSecond = 1e9
const percent = (share: number): number => Math.min(100, Math.max(0, Math.round(share * 100)))

/**
 * Creates a function that measures the load since its last call.
 * @param totals traffic of the relay since its start
 */
export function nodeLoad(totals: () => Totals): () => NodeLoad {
  const thread = threadLoad()
  let before = { ...totals(), at: Date.now() }
  return () => {
    const now = { ...totals(), at: Date.now() }
    const seconds = Math.max(0.001, (now.at - before.at) / 1000)
    const sent = now.packets - before.packets + now.dropped - before.dropped
    const load = {
      cpu: percent(thread()),
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

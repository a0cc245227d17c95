// Options of a destination.
import type { DestinationReport } from '#contract/relay/reports.ts'
import type { Hub } from '#server/relay/media/hub.ts'
import type { DialOptions } from './dial.ts'
import type { DestinationTiming } from './timing.ts'

export interface DestinationOptions {
  readonly hub: Hub
  readonly dial: Omit<DialOptions, 'timeoutMs'>
  /** Default: quick first retry, then up to 30 s; 10 s for a stall. */
  readonly timing?: DestinationTiming
  /** Bytes that may wait. */
  readonly limit: () => number
  /** Asks for a place on the node. Left out: there is always one. @returns what gives it back; null: there is none now */
  readonly room?: (() => (() => void) | null) | undefined
  /** After each change of state. */
  readonly onChange: (report: DestinationReport) => void
}

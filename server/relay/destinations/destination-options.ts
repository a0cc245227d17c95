// Options of a destination.
import type { DestinationReport } from '#contract/relay/reports.ts'
import type { Hub } from '#server/relay/media/hub.ts'
import type { TransportStreams } from '#server/relay/srt/transport-streams.ts'
import type { DialOptions } from './dial.ts'
import type { DestinationTiming } from './timing.ts'

export interface DestinationOptions {
  /** Stream of the next connection. */
  readonly hub: () => Hub
  readonly dial: Omit<DialOptions, 'timeoutMs'>
  /** MPEG-TS of the hubs, for SRT. */
  readonly transports: TransportStreams
  /** Default: quick first retry, then up to 30 s; 10 s for a stall. */
  readonly timing?: DestinationTiming
  /** Queue limit, bytes. */
  readonly limit: () => number
  /** Reserves egress. Omitted: no limit. @returns a function that releases it; null: the limit is reached */
  readonly room?: (() => (() => void) | null) | undefined
  /** Returns true when attempts may begin. Omitted: always. */
  readonly mayStart?: () => boolean
  /** Called after each change of state. */
  readonly onChange: (report: DestinationReport) => void
}

// Traffic totals.
import type { DestinationReport } from '#contract/relay/reports.ts'

/** Bytes in and out, and packets that destinations received or lost. */
export type Totals = Pick<DestinationReport, 'bytes' | 'packets' | 'dropped'>

export const addUp = (some: readonly Totals[]): Totals => ({
  bytes: some.reduce((sum, one) => sum + one.bytes, 0),
  packets: some.reduce((sum, one) => sum + one.packets, 0),
  dropped: some.reduce((sum, one) => sum + one.dropped, 0),
})

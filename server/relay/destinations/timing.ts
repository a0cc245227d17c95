// Timeouts and retry delays of a destination.
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import type { DestinationReason } from '#contract/relay/reports.ts'
import { rejections } from './reasons.ts'

/** Time limits, in milliseconds. */
export interface DestinationTiming {
  readonly dialMs: number
  /** From the socket to Publish.Start. */
  readonly publishMs: number
  /** After a failure that is not a rejection. */
  readonly retries: Backoff
  readonly rejectedMs: number
  /** If a non-empty queue sends nothing for this time, the connection is dead. */
  readonly stallMs: number
  /** A server that keeps the connection for this time after Publish.Start accepts the stream. */
  readonly steadyMs: number
  /** After this time live, the next failure starts with the shortest retry. */
  readonly wellMs: number
  /** Time without a drop before a larger picture returns; doubles with each return that fails, up to the tenfold. */
  readonly ladderMs: number
}

/** Defaults. */
export const usualTiming: DestinationTiming = {
  dialMs: 8_000,
  publishMs: 10_000,
  retries: { firstMs: 500, mostMs: 30_000, jitter: 0.5 },
  rejectedMs: 60_000,
  stallMs: 10_000,
  steadyMs: 3_000,
  wellMs: 20_000,
  ladderMs: 60_000,
}

/** Returns the delay of the next attempt, milliseconds. @param failures failed attempts in a row, at least 1 */
export function retryWait(timing: DestinationTiming, reason: DestinationReason, failures: number): number {
  return rejections.has(reason) ? timing.rejectedMs : backoffMs(timing.retries, failures)
}

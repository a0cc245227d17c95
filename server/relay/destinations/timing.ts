// Timeouts and retry delays of a destination.
import type { DestinationReason } from '#contract/relay/reports.ts'
import { rejections } from './reasons.ts'

/** Time limits, in milliseconds. */
export interface DestinationTiming {
  readonly dialMs: number
  /** From the socket to Publish.Start. */
  readonly publishMs: number
  readonly firstRetryMs: number
  readonly retryMsMax: number
  readonly rejectedMs: number
  /** If a non-empty queue sends nothing for this time, the connection is dead. */
  readonly stallMs: number
  /** A server that keeps the connection for this time after Publish.Start accepts the stream. */
  readonly steadyMs: number
  /** After this time live, the next failure starts with the shortest retry. */
  readonly wellMs: number
}

/** Defaults. */
export const usualTiming: DestinationTiming = {
  dialMs: 8_000,
  publishMs: 10_000,
  firstRetryMs: 500,
  retryMsMax: 30_000,
  rejectedMs: 60_000,
  stallMs: 10_000,
  steadyMs: 3_000,
  wellMs: 20_000,
}

/** Returns the delay of the next attempt, milliseconds: exponential backoff with up to 50 % jitter. */
export function retryWait(timing: DestinationTiming, reason: DestinationReason, attempt: number): number {
  const { firstRetryMs, retryMsMax, rejectedMs } = timing
  if (rejections.has(reason)) return rejectedMs
  return Math.min(retryMsMax, firstRetryMs * 2 ** attempt) * (1 - Math.random() / 2)
}

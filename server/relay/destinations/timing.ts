// Time limits of the steps of a destination, and the times of its next attempts.
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
  /** Nothing leaves a queue that is not empty for so long: the connection is dead, whatever TCP thinks. */
  readonly stallMs: number
  /** A server that keeps the connection for so long after Publish.Start takes the stream. */
  readonly steadyMs: number
  /** Live for so long means well: the next trouble starts with a quick retry. */
  readonly wellMs: number
}

/** What an operator gets without saying more. */
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

/** Milliseconds until the next attempt: doubles, less up to half of it by chance, so that not all come back at one moment. */
export function retryWait(timing: DestinationTiming, reason: DestinationReason, attempt: number): number {
  const { firstRetryMs, retryMsMax, rejectedMs } = timing
  if (rejections.has(reason)) return rejectedMs
  return Math.min(retryMsMax, firstRetryMs * 2 ** attempt) * (1 - Math.random() / 2)
}

// Retries of chat readers and of writing what they read.
import type { Backoff } from '#contract/core/backoff.ts'

/** The whole delay is random, so that the readers of a platform that was gone do not connect together. */
export const chatRetries: Backoff = { firstMs: 1_000, mostMs: 60_000, jitter: 1 }

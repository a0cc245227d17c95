// Waits before restarts of the service.
import type { Backoff } from '#contract/core/backoff.ts'

/** Waits of the supervisor after the service has died. */
export const serviceRestarts: Backoff = { firstMs: 500, mostMs: 30_000 }

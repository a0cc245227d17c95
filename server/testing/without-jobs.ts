// A service whose jobs do not run: a test takes their steps itself, and no other.
import { vi } from 'vitest'

const dayMs = 86_400_000

/** Keeps intervals of this test from ticking, as those of jobs every few seconds of real time. Call it before the service starts. */
export function withoutJobs(): void {
  const start = globalThis.setInterval
  vi.stubGlobal('setInterval', (tick: () => void) => start(tick, dayMs))
}

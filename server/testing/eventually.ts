// Polling with limits for a busy machine.
import { vi } from 'vitest'

/** Polls every 10 ms until a value is truthy. @returns the value @throws after two minutes, and what the callback throws */
export const eventually = <T>(read: () => T | Promise<T>) =>
  vi.waitUntil(read, { timeout: 120_000, interval: 10, message: `Not reached: ${read.toString()}` })

import { expect, test } from 'vitest'
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import { airOf } from './air-of.ts'

test.each([
  [{ state: 'live' }, 'on'],
  [{ state: 'connecting' }, 'on'],
  [{ state: 'connecting', attempt: 0 }, 'on'],
  [{ state: 'backoff', attempt: 1 }, 'trouble'],
  [{ state: 'connecting', attempt: 1 }, 'trouble'],
  [{ state: 'publishing', attempt: 3 }, 'trouble'],
  [{ state: 'degraded' }, 'trouble'],
] as const)('a restream with %j is %s: a retry stays a problem until the channel is live', (restream, air) => {
  const restreams = [{ id: 1, status: '', ...restream }]
  expect(airOf({ kind: 'live', status: 'active', restreams } as unknown as BroadcastStatus)).toBe(air)
})

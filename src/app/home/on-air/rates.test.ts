import { expect, test } from 'vitest'
import type { OnAir } from '#contract/entities/on-air.ts'
import { healthOf } from '#src/lib/health.ts'
import { addSent, rateOf, type Sent } from './rates.ts'

const look = (second: number, bytes: number) =>
  ({
    date_sample: new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString(),
    restreams: [{ id: 1, status: 'live', bytes }],
  }) as unknown as OnAir
const after = (...samples: OnAir[]) => samples.reduce<readonly Sent[]>(addSent, [])

test('computes a rate from the bytes of the last seconds', () => {
  expect(rateOf(after(look(0, 0)), 1)).toBeNull()
  expect(rateOf(after(look(0, 0), look(1, 125_000), look(2, 500_000)), 1)).toBe(2000)
  expect(rateOf(after(look(0, 9_000_000), look(10, 10_000_000), look(12, 10_250_000)), 1)).toBe(1000)
})

test('ignores a repeated sample and a counter that restarted', () => {
  const seen = after(look(0, 500_000))
  expect(addSent(seen, look(0, 500_000))).toBe(seen)
  expect(rateOf(addSent(seen, look(1, 10)), 1)).toBeNull()
  expect(rateOf(seen, 2)).toBeNull()
})

test.each([
  ['active', [], [], 'nowhere'],
  ['active', [], undefined, 'unknown'],
  ['active', [], [0, 1], 'starting'],
  ['active', ['connecting', 'publishing'], [0, 1], 'starting'],
  ['active', ['backoff', 'connecting'], [0, 1], 'none'],
  ['active', ['connecting', 'live'], [0, 1], 'some'],
  ['active', ['live', 'live'], [0, 1], 'all'],
  ['active', ['live', 'live'], undefined, 'all'],
  ['active', ['live', 'live'], [0, 1, 2], 'some'],
  ['active', ['live', 'backoff'], [0, 1], 'some'],
  ['active', ['degraded'], [0], 'none'],
  ['lost', ['live'], [0], 'lost'],
  ['pause', [], [], 'paused'],
] as const)('%s with restreams %j of the channels %j is %s', (status, states, on, health) => {
  const restreams = states.map((state, id) => ({ id, channel_id: id, status: '', state }))
  expect(healthOf({ status, restreams }, on).state).toBe(health)
})

test('a retry is not a start', () => {
  const restreams = [{ id: 0, channel_id: 0, status: '', state: 'connecting', attempt: 1 } as const]
  expect(healthOf({ status: 'active', restreams }, [0]).state).toBe('none')
})

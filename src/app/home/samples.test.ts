import { expect, test } from 'vitest'
import type { OnAir } from '#contract/entities/on-air.ts'
import { addSample, lastMinutes } from './samples.ts'

const look = (second: number, bitrate: number | null = second) =>
  ({ status: 'active', bitrate, date_sample: new Date(second * 1000).toISOString() }) as unknown as OnAir
const sample = (at: number) => ({ at, kbps: at })

test('a point each two seconds, and none where nothing was measured', () => {
  const seen = [1_000, 1_001, 1_002, 1_003, 1_004].map((second) => look(second)).reduce(addSample, [])
  expect(seen).toEqual([1_000, 1_002, 1_004].map(sample))
  expect(addSample(seen, look(1_010, null))).toBe(seen)
})

test('five minutes: what the service knew before, then what was seen', () => {
  const known = [500, 990, 998, 1_002].map(sample)
  expect(lastMinutes(known, [])).toEqual(known)
  expect(lastMinutes(known, [1_000, 1_200].map(sample))).toEqual([990, 998, 1_000, 1_200].map(sample))
})

import { expect, test } from 'vitest'
import type { OnAir } from '#contract/entities/on-air.ts'
import { addSample, afterHole, lastMinutes } from './samples.ts'

const look = (second: number, bitrate: number | null = second) =>
  ({ status: 'active', bitrate, date_sample: new Date(second * 1000).toISOString() }) as unknown as OnAir
const sample = (at: number) => ({ at, kbps: at })

test('keeps a point each four seconds, and none where nothing was measured', () => {
  const seen = [1_000, 1_001, 1_004, 1_006, 1_008].map((second) => look(second)).reduce(addSample, [])
  expect(seen).toEqual([1_000, 1_004, 1_008].map(sample))
  expect(addSample(seen, look(1_010, null))).toBe(seen)
})

test('joins five minutes from the service and from the page', () => {
  const known = [500, 990, 998, 1_003].map(sample)
  expect(lastMinutes(known, [])).toEqual(known)
  expect(lastMinutes(known, [1_000, 1_002, 1_004].map(sample))).toEqual([990, 998, 1_000, 1_002, 1_004].map(sample))
})

test('thins the measurements of the service, which has one each second, to the points of the page', () => {
  const known = [990, 991, 992, 993, 994, 995, 996, 997].map(sample)
  expect(lastMinutes(known, [])).toEqual([990, 994].map(sample))
  expect(lastMinutes(known, [998, 1_002].map(sample))).toEqual([990, 994, 998, 1_002].map(sample))
})

test('requests each gap in the measurements once from the service', () => {
  const seen = [1_000, 1_002, 1_030, 1_032].map(sample)
  expect(lastMinutes([1_001, 1_010, 1_020, 1_031].map(sample), seen)).toEqual(
    [1_000, 1_002, 1_010, 1_020, 1_030, 1_032].map(sample),
  )
  expect([seen.slice(0, 2), seen.slice(0, 3), seen].map(afterHole)).toEqual([0, 1_030, 1_030])
})

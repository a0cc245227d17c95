import { expect, test } from 'vitest'
import { lineOf } from './graph-line.ts'

const frame = { width: 400, height: 100, gap: 5 }

test('without samples there is no line', () => {
  expect(lineOf([], frame)).toBeNull()
})

test('a line has a gap where nothing came in, and its upper edge reads well', () => {
  const samples = [0, 1, 9, 10].map((at) => ({ at, kbps: at < 5 ? 1000 : 3500 }))
  expect(lineOf(samples, frame)).toEqual({
    path: 'M0 75h0L40 75M360 12.5h0L400 12.5',
    from: 0,
    to: 10,
    top: 4000,
    mean: 2250,
    min: 1000,
    max: 3500,
  })
})

test('hours are thinned to what can be seen, and figures stay those of all samples', () => {
  const samples = Array.from({ length: 7200 }, (_, at) => ({ at, kbps: at === 100 ? 9000 : 3000 }))
  const line = lineOf(samples, frame)
  expect(line?.path.match(/[ML]/g)?.length).toBeLessThanOrEqual(200)
  expect(line?.path.match(/M/g)).toHaveLength(1)
  expect(line).toMatchObject({ max: 9000, min: 3000, top: 10_000 })
})

test('silence is a line on the ground', () => {
  expect(lineOf([{ at: 5, kbps: 0 }], frame)).toMatchObject({ path: 'M0 100h0', mean: 0, top: 10 })
})

test('what is old is coarse, and no gap', () => {
  const samples = [0, 10, 20, 30, 31, 32, 33].map((at) => ({ at, kbps: 1000 }))
  expect(lineOf(samples, frame)?.path.match(/M/g)).toHaveLength(1)
})

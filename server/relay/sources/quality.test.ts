// The quality rule by a fast clock: a poor main encoder, its return, and no flapping.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type IngestSession, plainLink } from '#server/relay/ingest/publication.ts'
import type { Rank } from '#server/relay/ingest/rank.ts'
import { Hub } from '#server/relay/media/hub.ts'
import { interframe } from '#server/relay/testing/frames.ts'
import { Encoders, openSource, type Source } from './encoders.ts'
import { Quality } from './quality.ts'
import { Stage } from './stage.ts'

const rule = { kbps: 1_000, ms: 5_000, backKbps: 1_500, backMs: 10_000 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Seconds until the judgement changes. */
function secondsUntil(quality: Quality, kbps: (second: number) => number, most = 200): number {
  const before = quality.isPoor
  for (let second = 0; second < most; second++) {
    vi.advanceTimersByTime(1_000)
    quality.second(kbps(second), Date.now())
    if (quality.isPoor !== before) return second + 1
  }
  return -1
}

function judged(): Quality {
  const quality = new Quality()
  quality.rule = rule
  return quality
}

test('is poor after the time below the limit, and good after the time above the other one', () => {
  const quality = judged()
  expect(secondsUntil(quality, () => 3_000)).toBe(-1)
  expect(secondsUntil(quality, () => 100)).toBe(7)
  // Between both limits nothing changes.
  expect(secondsUntil(quality, () => 1_400)).toBe(-1)
  expect(secondsUntil(quality, () => 1_600)).toBe(11)
})

test('a burst makes a poor encoder not good, and a dip a good one not poor', () => {
  const quality = judged()
  expect(secondsUntil(quality, (second) => (second % 5 === 0 ? 100 : 3_000))).toBe(-1)
  secondsUntil(quality, () => 0)
  expect(secondsUntil(quality, (second) => (second % 9 === 0 ? 100 : 2_400))).toBe(-1)
})

test('without a rule nothing is poor, and a rule that is taken back ends the judgement', () => {
  const quality = judged()
  secondsUntil(quality, () => 0)
  expect(quality.isPoor).toBe(true)
  quality.rule = undefined
  expect(quality.isPoor).toBe(false)
  expect(secondsUntil(quality, () => 0)).toBe(-1)
})

const session: IngestSession = { end: () => undefined, received: () => 0, link: () => plainLink() }

/** Two encoders that send each second, with keyframes, for ten minutes. @returns ranks that took the air, with their seconds */
function tenMinutes(kbpsOf: Readonly<Record<'main' | 'backup', (second: number) => number>>) {
  const encoders = new Encoders()
  encoders.quality.rule = rule
  const stage = new Stage(new Hub(), { get: () => null })
  const open = (rank: Rank): Source =>
    openSource(session, {
      encoder: '',
      address: '',
      rank,
      feed: stage.beside(),
      silence: { receive: () => undefined, close: () => undefined },
    })
  const [main, backup] = [open('main'), open('backup')]
  encoders.source = main
  encoders.enter(main)
  encoders.add(backup)
  const changes: { readonly rank: Rank; readonly second: number }[] = []
  for (let second = 0; second < 600; second++) {
    vi.advanceTimersByTime(1_000)
    for (const source of [main, backup]) {
      source.lastAt = source.frameAt = performance.now()
      const kbps = source.rank === 'main' ? kbpsOf.main(second) : kbpsOf.backup(second)
      const message = interframe(second * 1_000, (kbps * 1_000) / 8)
      if (encoders.source === source) continue
      encoders.countIdle(source, message, [])
      if (!encoders.mayEnter(source)) continue
      encoders.exchange(source)
      encoders.enter(source)
      changes.push({ rank: source.rank, second })
    }
    encoders.checkBeside(Date.now())
    encoders.judgeQuality(kbpsOf.main(second))
  }
  return changes
}

test('a throttled main encoder gives way once, and takes over once', () => {
  const changes = tenMinutes({ main: (second) => (second >= 60 && second < 300 ? 200 : 4_000), backup: () => 4_000 })
  expect(changes.map(({ rank }) => rank)).toEqual(['backup', 'main'])
  const [poor, back] = changes.map(({ second }) => second)
  expect(poor).toBeGreaterThanOrEqual(60 + 5)
  expect(poor).toBeLessThanOrEqual(60 + 9)
  expect(back).toBeGreaterThanOrEqual(300 + 10)
  expect(back).toBeLessThanOrEqual(300 + 14)
})

test('a main encoder around the limit does not flap', () => {
  const swings = (second: number) => 1_000 + 600 * Math.sin(second / 3)
  expect(tenMinutes({ main: swings, backup: () => 4_000 }).length).toBeLessThanOrEqual(1)
  const slow = tenMinutes({ main: (second) => (second % 40 < 20 ? 100 : 4_000), backup: () => 4_000 })
  // Twenty seconds of each: never more than six changes in a minute.
  for (const { second } of slow)
    expect(slow.filter((one) => one.second >= second && one.second < second + 60).length).toBeLessThanOrEqual(6)
})

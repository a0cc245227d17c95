// Times of a series, over both changes of clocks, ends of months and years.
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import type { Repeat } from './schedule.ts'
import { endOf, occurrencesFrom, type Series } from './recurrence.ts'

const at = (text: string): number => Temporal.ZonedDateTime.from(text).epochMilliseconds
const walls = (times: readonly number[], zone: string): string[] =>
  times.map((ms) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toString().slice(0, 22))

/** Wall times of the first occurrences. */
function wallsOf(start: string, repeat: Repeat, { limit = 5, from = start } = {}): string[] {
  const zone = /\[(.*)\]/.exec(start)?.[1] ?? ''
  const series = { start: at(start), end: null, zone, repeat }
  return walls(occurrencesFrom(series, at(from), limit), zone)
}

test('moves a time that summer time leaves out forward, and returns to it', () => {
  expect(wallsOf('2026-03-15T02:30[Europe/Berlin]', { every: 'week', n: 1 }, { limit: 4 })).toEqual([
    '2026-03-15T02:30:00+01',
    '2026-03-22T02:30:00+01',
    '2026-03-29T03:30:00+02',
    '2026-04-05T02:30:00+02',
  ])
})

test('takes the first of a doubled hour', () => {
  expect(wallsOf('2026-10-18T02:30[Europe/Berlin]', { every: 'week', n: 1 }, { limit: 3 })).toEqual([
    '2026-10-18T02:30:00+02',
    '2026-10-25T02:30:00+02',
    '2026-11-01T02:30:00+01',
  ])
})

test('keeps the second of a doubled hour where the series begins in it', () => {
  const start = at('2026-10-25T02:30:00+01:00[Europe/Berlin]')
  const series = { start, end: null, zone: 'Europe/Berlin', repeat: { every: 'day', n: 1 } } as const
  expect(walls(occurrencesFrom(series, start, 2), 'Europe/Berlin')).toEqual([
    '2026-10-25T02:30:00+01',
    '2026-10-26T02:30:00+01',
  ])
})

test('has a run at the end of short months, and on the day itself in the others', () => {
  expect(wallsOf('2027-12-31T20:00[UTC]', { every: 'month', n: 1 })).toEqual([
    '2027-12-31T20:00:00+00',
    '2028-01-31T20:00:00+00',
    '2028-02-29T20:00:00+00',
    '2028-03-31T20:00:00+00',
    '2028-04-30T20:00:00+00',
  ])
})

test('takes every second week from the week of its start', () => {
  // A Wednesday.
  expect(wallsOf('2026-12-23T20:00[UTC]', { every: 'week', n: 2, days: [5, 1, 3] })).toEqual([
    '2026-12-23T20:00:00+00',
    '2026-12-25T20:00:00+00',
    '2027-01-04T20:00:00+00',
    '2027-01-06T20:00:00+00',
    '2027-01-08T20:00:00+00',
  ])
})

test('counts runs from the start, also from a later time', () => {
  const repeat = { every: 'day', n: 1, count: 3 } as const
  expect(wallsOf('2026-12-30T20:00[UTC]', repeat, { from: '2026-12-31T20:00[UTC]' })).toEqual([
    '2026-12-31T20:00:00+00',
    '2027-01-01T20:00:00+00',
  ])
})

test('includes a run at its last time', () => {
  const until = at('2026-12-31T20:00[UTC]') / 1000
  expect(wallsOf('2026-12-30T20:00[UTC]', { every: 'day', n: 1, until })).toHaveLength(2)
  expect(wallsOf('2026-12-30T20:00[UTC]', { every: 'day', n: 1, until: until - 1 })).toHaveLength(1)
})

test('has one run where a zone leaves out a day', () => {
  expect(wallsOf('2011-12-29T10:00[Pacific/Apia]', { every: 'day', n: 1 }, { limit: 3 })).toEqual([
    '2011-12-29T10:00:00-10',
    '2011-12-31T10:00:00+14',
    '2012-01-01T10:00:00+14',
  ])
})

test.each([
  ['an ordinary night', '2026-03-21T22:00', '2026-03-22T06:00'],
  ['the night that loses an hour', '2026-03-28T22:00', '2026-03-29T06:00'],
  ['the night that gains one', '2026-10-24T22:00', '2026-10-25T06:00'],
])('ends at the wall time of the first run in %s', (_, begin, end) => {
  const zone = 'Europe/Berlin'
  const first = { start: at(`2026-01-01T22:00[${zone}]`), end: at(`2026-01-02T06:00[${zone}]`), zone }
  expect(endOf(first, at(`${begin}[${zone}]`))).toBe(at(`${end}[${zone}]`))
})

test('keeps the length of a run whose end the change of clocks puts before its begin', () => {
  const zone = 'Europe/Berlin'
  const first = { start: at(`2026-03-22T02:30[${zone}]`), end: at(`2026-03-22T03:15[${zone}]`), zone }
  const moved = at(`2026-03-29T03:30[${zone}]`)
  expect(endOf(first, moved)).toBe(moved + 45 * 60_000)
})

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Pacific/Apia',
]
const day = 86_400_000
const anySeries: fc.Arbitrary<Series & { readonly repeat: Repeat }> = fc.record({
  start: fc
    .integer({ min: at('2010-01-01T00:00[UTC]') / 60_000, max: at('2040-01-01T00:00[UTC]') / 60_000 })
    .map((m) => m * 60_000),
  end: fc.constant(null),
  zone: fc.constantFrom(...zones),
  repeat: fc.oneof(
    fc.record({ every: fc.constantFrom('day' as const, 'month' as const), n: fc.integer({ min: 1, max: 99 }) }),
    fc.record({
      every: fc.constant('week' as const),
      n: fc.integer({ min: 1, max: 99 }),
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
    }),
  ),
})

/** The same times, found by trying each day. */
function byDays(
  { start, zone, repeat: { every, n, ...rest } }: Series & { readonly repeat: Repeat },
  days: number,
): number[] {
  const first = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone)
  const [date, plainTime] = [first.toPlainDate(), first.toPlainTime()]
  const monday = date.subtract({ days: first.dayOfWeek - 1 })
  const found = new Set<number>()
  for (let passed = 0; passed <= days; passed++) {
    const one = date.add({ days: passed })
    const months = (one.year - date.year) * 12 + one.month - date.month
    const isDue =
      every === 'day'
        ? passed % n === 0
        : every === 'month'
          ? months % n === 0 && one.day === Math.min(date.day, one.daysInMonth)
          : (rest.days ?? []).includes(one.dayOfWeek) && Math.floor(monday.until(one).days / 7) % n === 0
    if (isDue) found.add(passed === 0 ? start : one.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds)
  }
  return [...found].toSorted((a, b) => a - b)
}

test('finds the times that a search day by day finds, from any time on', () => {
  fc.assert(
    fc.property(anySeries, fc.integer({ min: -3, max: 700 }), fc.integer({ min: 0, max: day }), (series, days, ms) => {
      const from = series.start + days * day + ms
      const until = from + 400 * day
      const expected = byDays(series, days + 410).filter((one) => one >= from && one < until)
      const found = occurrencesFrom(series, from, expected.length + 1).filter((one) => one < until)
      expect(found).toEqual(expected)
    }),
    { numRuns: 150 },
  )
})

test('continues after any run with the dates of one long list, until its count', () => {
  fc.assert(
    fc.property(anySeries, fc.integer({ min: 1, max: 30 }), (series, count) => {
      const counted = { ...series, repeat: { ...series.repeat, count } }
      const all = occurrencesFrom(counted, series.start, 100)
      const one: number[] = []
      for (let from = series.start; ; from = (one.at(-1) ?? 0) + 1) {
        const [next] = occurrencesFrom(counted, from, 1)
        if (next === undefined) break
        one.push(next)
      }
      expect(one).toEqual(all)
      // Where a zone leaves out a day, two of them are one.
      expect(count - all.length).toBeLessThanOrEqual(series.zone === 'Pacific/Apia' ? 1 : 0)
    }),
    { numRuns: 100 },
  )
})

test('ends each run after its begin, within a day of its length', () => {
  fc.assert(
    fc.property(anySeries, fc.integer({ min: 1, max: 3 * 1_440 }), (series, minutes) => {
      const whole = { ...series, end: series.start + minutes * 60_000 }
      for (const begin of occurrencesFrom(whole, series.start + 100 * day, 5)) {
        const end = endOf(whole, begin) ?? 0
        expect(end).toBeGreaterThan(begin)
        expect(Math.abs(end - begin - minutes * 60_000)).toBeLessThanOrEqual(day)
      }
    }),
    { numRuns: 100 },
  )
})

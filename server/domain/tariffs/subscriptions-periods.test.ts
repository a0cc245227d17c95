// Months, years and their remaining hours.
import { expect, test } from 'vitest'
import { addMonths, hoursAhead } from './subscriptions-periods.ts'

test.each([
  ['a month', '2026-11-21T06:00:00.000Z', 1, '2026-12-21T06:00:00.000Z'],
  ['over the new year', '2026-12-15T23:59:59.999Z', 1, '2027-01-15T23:59:59.999Z'],
  ['the 31st into February', '2027-01-31T10:00:00.000Z', 1, '2027-02-28T10:00:00.000Z'],
  ['the 31st into February of a leap year', '2028-01-31T10:00:00.000Z', 1, '2028-02-29T10:00:00.000Z'],
  ['the 31st two months on', '2027-01-31T10:00:00.000Z', 2, '2027-03-31T10:00:00.000Z'],
  ['the 31st into a month of 30 days', '2027-03-31T00:00:00.000Z', 1, '2027-04-30T00:00:00.000Z'],
  ['a year', '2026-11-21T06:00:00.000Z', 12, '2027-11-21T06:00:00.000Z'],
  ['a year from a leap day', '2028-02-29T06:00:00.000Z', 12, '2029-02-28T06:00:00.000Z'],
  ['four years from a leap day', '2028-02-29T06:00:00.000Z', 48, '2032-02-29T06:00:00.000Z'],
])('%s', (_, from, months, end) => {
  expect(addMonths(from, months)).toBe(end)
})

test.each([
  ['at its start', '2026-11-01T00:00:00.000Z', 720],
  ['before its start', '2026-10-01T00:00:00.000Z', 720],
  ['within its first hour', '2026-11-01T00:59:59.999Z', 720],
  ['after its first hour', '2026-11-01T01:00:00.000Z', 719],
  ['in the middle', '2026-11-16T00:00:00.000Z', 360],
  ['a moment before its end', '2026-11-30T23:59:59.999Z', 1],
  ['at its end', '2026-12-01T00:00:00.000Z', 0],
  ['after its end', '2027-12-01T00:00:00.000Z', 0],
])('hours ahead of a period %s', (_, now, ahead) => {
  expect(hoursAhead('2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z', now)).toEqual({ ahead, all: 720 })
})

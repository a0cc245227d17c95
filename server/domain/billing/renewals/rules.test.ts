import { expect, test } from 'vitest'
import { mayCharge, passedTries, triesBefore, tryAt } from './rules.ts'

const end = '2026-05-31T00:00:00.000Z'

test('tries 72, 48, 24 and 6 hours before the end, and once more before it', () => {
  expect([...triesBefore.keys(), 5].map((seq) => tryAt(end, seq))).toEqual([
    '2026-05-28T00:00:00.000Z',
    '2026-05-29T00:00:00.000Z',
    '2026-05-30T00:00:00.000Z',
    '2026-05-30T18:00:00.000Z',
    '2026-05-30T23:45:00.000Z',
    null,
  ])
})

test.each([
  ['2026-05-20T00:00:00.000Z', 0],
  ['2026-05-28T00:00:00.000Z', 0],
  ['2026-05-28T00:00:00.001Z', 1],
  ['2026-05-30T20:00:00.000Z', 4],
  ['2026-05-31T00:00:00.000Z', 5],
])('at %s, %i tries have passed', (now, tries) => {
  expect(passedTries(end, now)).toBe(tries)
})

const now = '2026-05-28T00:00:00.000Z'
test.each([
  ['the same price', { price: 490, last: 490, announced: null, announcedAt: null }, true],
  ['a lower price', { price: 400, last: 490, announced: null, announcedAt: null }, true],
  ['a higher price without a notice', { price: 491, last: 490, announced: null, announcedAt: null }, false],
  ['a week after the notice', { price: 590, last: 490, announced: 590, announcedAt: '2026-05-21T00:00:00.000Z' }, true],
  ['a day after the notice', { price: 590, last: 490, announced: 590, announcedAt: '2026-05-27T00:00:00.000Z' }, false],
  [
    'more than the notice said',
    { price: 591, last: 490, announced: 590, announcedAt: '2026-05-21T00:00:00.000Z' },
    false,
  ],
])('charges %s: %s', (_, facts, expected) => {
  expect(mayCharge(facts, now)).toBe(expected)
})

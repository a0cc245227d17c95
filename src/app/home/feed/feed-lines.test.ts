import { expect, test } from 'vitest'
import { feedOf } from './feed-lines.ts'

const event = (id: number, kind: string, reason: string | null = null) => ({
  id,
  kind,
  reason,
  level: 'warning' as const,
  text: kind,
  created_at: `2026-11-21T12:00:0${id}.000Z`,
})

test('merges repetitions of an event into one line with the latest time', () => {
  const events = [event(5, 'rejected', 'a'), event(4, 'rejected', 'a'), event(3, 'rejected', 'b'), event(2, 'began')]
  expect(feedOf(events).map(({ event: { id }, count }) => [id, count])).toEqual([
    [5, 2],
    [3, 1],
    [2, 1],
  ])
})

test('places a repeated event at its last repetition, with its count', () => {
  const repeated = { ...event(1, 'backoff', 'a'), count: 5, last_at: '2026-11-21T12:00:09.000Z' }
  const events = [event(3, 'live'), event(2, 'began'), repeated]
  expect(feedOf(events).map(({ event: { id }, count }) => [id, count])).toEqual([
    [1, 5],
    [3, 1],
    [2, 1],
  ])
})

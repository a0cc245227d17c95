// Pauses for hosts that hang.
import { expect, test } from 'vitest'
import { movableClock } from '#server/core/clock.ts'
import { createHostBackoff } from './host-backoff.ts'

const second = 1_000
function create() {
  const clock = movableClock(new Date('2026-01-01T00:00:00Z'))
  return { clock, backoff: createHostBackoff(clock) }
}
const fail = ({ failed }: { failed: (host: string) => void }, times: number, host = 'a.example') => {
  for (let n = 0; n < times; n++) failed(host)
}

test('pauses a host after three failures in a row, and no other host', () => {
  const { backoff } = create()
  fail(backoff, 2)
  expect(backoff.enter('a.example')).toBe(0)
  fail(backoff, 1)
  expect(backoff.enter('a.example')).toBe(30 * second)
  expect(backoff.enter('b.example')).toBe(0)
})

test('a response ends the count', () => {
  const { backoff } = create()
  fail(backoff, 2)
  backoff.answered('a.example')
  fail(backoff, 2)
  expect(backoff.enter('a.example')).toBe(0)
})

test('many calls that hang at the same time are one pause', () => {
  const { backoff } = create()
  fail(backoff, 200)
  expect(backoff.enter('a.example')).toBe(30 * second)
})

test('after a pause one call tests the host, and pauses double up to 10 minutes', () => {
  const { clock, backoff } = create()
  fail(backoff, 3)
  for (const pause of [30, 60, 120, 240, 480, 600, 600]) {
    expect(backoff.enter('a.example')).toBe(pause * second)
    clock.advance(pause * second)
    expect(backoff.enter('a.example')).toBe(0)
    expect(backoff.enter('a.example')).toBe(20 * second)
    clock.advance(15 * second)
    fail(backoff, 1)
  }
  clock.advance(600 * second)
  expect(backoff.enter('a.example')).toBe(0)
  backoff.answered('a.example')
  expect([backoff.enter('a.example'), backoff.enter('a.example')]).toEqual([0, 0])
})

test('knows 10,000 hosts at most, and forgets the oldest', () => {
  const { backoff } = create()
  for (let n = 0; n <= 10_000; n++) fail(backoff, 3, `${n}.example`)
  expect(backoff.enter('0.example')).toBe(0)
  expect(backoff.enter('1.example')).toBe(30 * second)
})

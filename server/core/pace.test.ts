import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

test('allows one message of a key in a time', () => {
  let now = 0
  const pace = createPace(1_000, () => now)
  expect([pace.begins(1), pace.begins(1), pace.begins(2)]).toEqual([true, false, true])
  now = 999
  expect(pace.begins(1)).toBe(false)
  now = 1_000
  expect([pace.begins(1), pace.begins(1)]).toEqual([true, false])
})

test('forgets keys that send no more', () => {
  let now = 0
  const pace = createPace(1_000, () => now)
  for (let key = 0; key < 10_000; key++, now += 10) pace.begins(key)
  expect(pace.size()).toBeLessThanOrEqual(100)
})

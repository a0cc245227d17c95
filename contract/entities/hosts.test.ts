import { expect, test } from 'vitest'
import { isWithin } from './hosts.ts'

test.each([
  ['twitch.tv', true],
  ['live-fra.twitch.tv', true],
  ['kick.com', true],
  ['nottwitch.tv', false],
  ['twitch.tv.example.org', false],
  ['tv', false],
  ['', false],
])('%j is within twitch.tv and kick.com: %s', (host, expected) => {
  expect(isWithin(host, ['twitch.tv', 'kick.com'])).toBe(expected)
  expect(isWithin(host, [])).toBe(false)
})

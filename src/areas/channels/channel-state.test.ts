import { expect, test } from 'vitest'
import { healthKey } from '#src/lib/health.ts'
import { stateOf } from './channel-state.ts'

const channel = {
  active: true,
  status: 'live',
  ingress_url: null,
  test: undefined,
  tokens: { account: { status: 'valid' }, group: { status: 'valid' } },
} as unknown as Parameters<typeof stateOf>[0]

test('a live channel says what it receives', () => {
  const air = { isPaused: false, fill: null, isScheduled: false }
  const nameOf = (changes: Partial<typeof air> | { readonly fill: 'clip' }) =>
    stateOf(channel, { ...air, ...changes }).name
  expect(nameOf({})).toBe('live')
  expect(nameOf({ isScheduled: true })).toBe('scheduled')
  expect(nameOf({ fill: 'clip' })).toBe('clip')
  expect(nameOf({ isPaused: true, isScheduled: true })).toBe('waiting')
  // A channel without a stream receives nothing.
  expect(stateOf({ ...channel, status: 'error' }, { ...air, fill: 'clip' }).name).toBe('error')
})

test('a pause of scheduled videos says nothing about an encoder', () => {
  const key = (slate: 'picture' | 'clip' | null, isScheduled: boolean) =>
    healthKey('paused', { slate, isHeld: false, isScheduled })
  expect([key(null, false), key('clip', false)]).toEqual(['paused', 'pausedClip'])
  expect([key(null, true), key('picture', true), key('clip', true)]).toEqual([
    'pausedScheduled',
    'scheduledPicture',
    'scheduledClip',
  ])
})

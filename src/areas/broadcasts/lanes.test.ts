import { expect, test } from 'vitest'
import { lanesOf, sumOf } from './lanes.ts'

const one = { channel_id: 7, name: 'One', type: 'twitch' }
const at = (second: number) => new Date(second * 1000).toISOString()
const event = (second: number, kind: string, channel: { id: number; name: string; type: string } | null = null) => ({
  kind,
  created_at: at(second),
  channel,
})
const ofOne = { id: 7, name: 'One', type: 'twitch' }

test('extends a state to the next event, and the last one to the end', () => {
  const events = [
    event(100, 'began'),
    event(101, 'live', ofOne),
    event(110, 'source-lost'),
    event(112, 'backoff', ofOne),
    event(113, 'source-back'),
    event(120, 'live', ofOne),
  ]
  const [encoder, channel] = lanesOf([one], events, 130)
  expect(encoder?.stretches).toEqual([
    { from: 100, to: 110, tone: 'on', kind: 'began' },
    { from: 110, to: 113, tone: 'off', kind: 'source-lost' },
    { from: 113, to: 130, tone: 'on', kind: 'source-back' },
  ])
  expect(channel).toMatchObject({ channelId: 7, name: 'One' })
  expect(sumOf(channel ?? { stretches: [] })).toEqual({ seconds: 21, troubles: 1 })
})

test('merges failures of the same tone with different reasons', () => {
  const events = [event(100, 'live', ofOne), event(105, 'backoff', ofOne), event(106, 'rejected', ofOne)]
  const [, channel] = lanesOf([one], events, 130)
  expect(channel?.stretches).toEqual([
    { from: 100, to: 105, tone: 'on', kind: 'live' },
    { from: 105, to: 130, tone: 'off', kind: 'backoff' },
  ])
})

test('draws nothing after a stop and for unknown events', () => {
  const events = [event(100, 'live', ofOne), event(105, 'stopped', ofOne), event(106, 'preview', ofOne)]
  const [encoder, channel] = lanesOf([one], events, 130)
  expect(encoder?.stretches).toEqual([])
  expect(channel?.stretches).toEqual([{ from: 100, to: 105, tone: 'on', kind: 'live' }])
})

test('draws alternating repeated events as one failure, from the first to the last', () => {
  const events = [
    { ...event(100, 'live', ofOne), last_at: at(120) },
    { ...event(105, 'backoff', ofOne), last_at: at(118) },
  ]
  const [, channel] = lanesOf([one], events, 130)
  expect(channel?.stretches).toEqual([
    { from: 100, to: 105, tone: 'on', kind: 'live' },
    { from: 105, to: 120, tone: 'off', kind: 'backoff' },
    { from: 120, to: 130, tone: 'on', kind: 'live' },
  ])
})

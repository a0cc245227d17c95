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
  expect(sumOf(channel ?? { stretches: [] })).toEqual({ seconds: 19, troubles: 1 })
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

test('a pause is a pause of the encoder and of the channels, and no interruption', () => {
  const events = [
    event(100, 'began'),
    event(101, 'live', ofOne),
    event(110, 'paused'),
    event(140, 'resumed'),
    event(150, 'paused'),
  ]
  const [encoder, channel] = lanesOf([one], events, 160)
  expect(encoder?.stretches.map(({ from, to, kind }) => [from, to, kind])).toEqual([
    [100, 110, 'began'],
    [110, 140, 'paused'],
    [140, 150, 'began'],
    [150, 160, 'paused'],
  ])
  expect(channel?.stretches).toEqual([
    { from: 101, to: 110, tone: 'on', kind: 'live' },
    { from: 110, to: 140, tone: 'poor', kind: 'paused' },
    { from: 140, to: 150, tone: 'on', kind: 'live' },
    { from: 150, to: 160, tone: 'poor', kind: 'paused' },
  ])
  expect(sumOf(channel ?? { stretches: [] })).toEqual({ seconds: 19, troubles: 0 })
  expect(sumOf(encoder ?? { stretches: [] })).toEqual({ seconds: 20, troubles: 0 })
})

test('a channel that fails in a pause keeps its failure', () => {
  const events = [event(100, 'live', ofOne), event(105, 'backoff', ofOne), event(110, 'paused'), event(120, 'resumed')]
  const [, channel] = lanesOf([one], events, 130)
  expect(channel?.stretches).toEqual([
    { from: 100, to: 105, tone: 'on', kind: 'live' },
    { from: 105, to: 130, tone: 'off', kind: 'backoff' },
  ])
})

test('an encoder that stops its stream is not interrupted', () => {
  const stops = { ...event(120, 'source-lost'), reason: 'unpublish' }
  const [encoder] = lanesOf([one], [event(100, 'began'), stops, event(180, 'ended')], 180)
  expect(encoder?.stretches).toEqual([{ from: 100, to: 120, tone: 'on', kind: 'began' }])
  const cut = { ...event(120, 'source-lost'), reason: 'socket' }
  const [other] = lanesOf([one], [event(100, 'began'), cut, event(180, 'ended')], 180)
  expect(sumOf(other ?? { stretches: [] })).toEqual({ seconds: 20, troubles: 1 })
})

test('an absence of the encoder is no interruption of a channel', () => {
  const events = [event(100, 'began'), event(101, 'live', ofOne), event(110, 'source-lost'), event(120, 'source-back')]
  const [, channel] = lanesOf([one], events, 130)
  expect(channel?.stretches.map(({ from, to, tone, kind }) => [from, to, tone, kind])).toEqual([
    [101, 110, 'on', 'live'],
    [110, 120, 'poor', 'absent'],
    [120, 130, 'on', 'live'],
  ])
  expect(sumOf(channel ?? { stretches: [] })).toEqual({ seconds: 19, troubles: 0 })
})

import { expect, test } from 'vitest'
import type { BroadcastStatus, OnAir, RestreamState } from '#contract/entities/on-air.ts'
import { announcementsOf } from './announcements.ts'

const offline: BroadcastStatus = { kind: 'inactive', status: 'offline' }
const onAir = (state: RestreamState, status: OnAir['status'] = 'active'): OnAir => ({
  kind: 'live',
  app: 'live',
  broadcast_id: 1,
  stream_id: 1,
  status,
  action: 'active',
  reconnects: 0,
  date_start: '2026-11-21T12:00:00.000Z',
  resolution: '',
  fps: null,
  bitrate: null,
  key_frame: null,
  video_codec_name: null,
  audio_codec_name: null,
  encoder: '',
  server: '',
  date_sample: null,
  restreams: [{ id: 1, status: 'live', name: 'One', state }],
})

test.each<[string, BroadcastStatus | undefined, BroadcastStatus, unknown[]]>([
  ['the first look', undefined, onAir('live'), []],
  ['nothing new', onAir('live'), onAir('live'), []],
  ['on air', offline, onAir('connecting'), [{ key: 'onAir' }]],
  ['on air and live', offline, onAir('live'), [{ key: 'onAir' }, { key: 'live', name: 'One' }]],
  ['a channel is lost', onAir('live'), onAir('backoff'), [{ key: 'backoff', name: 'One' }]],
  ['it tries again', onAir('backoff'), onAir('connecting'), []],
  ['the encoder is away', onAir('live'), onAir('live', 'lost'), [{ key: 'lost' }]],
  ['the encoder is back', onAir('live', 'lost'), onAir('live'), [{ key: 'back' }]],
  ['the backup takes over', onAir('live', 'lost'), { ...onAir('live'), backup: 'on_air' }, [{ key: 'backup' }]],
  ['scheduled videos take over', onAir('live', 'lost'), { ...onAir('live'), kind: 'scheduler' }, [{ key: 'play' }]],
  ['paused', onAir('live'), onAir('stopped', 'pause'), [{ key: 'paused' }]],
  ['goes on', onAir('stopped', 'pause'), onAir('connecting'), [{ key: 'resumed' }]],
  ['off air', onAir('live'), offline, [{ key: 'offAir' }]],
])('%s', (_, before, after, sayings) => {
  expect(announcementsOf(before, after)).toEqual(sayings)
})

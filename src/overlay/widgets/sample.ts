// A broadcast for previews and for the setting `test` of the counter.
import type { OnAir } from '#contract/entities/on-air.ts'

const minuteMs = 60_000

/** Returns a sample broadcast on air. @param now milliseconds since 1970 */
export const sample = (now: number): OnAir => ({
  kind: 'live',
  app: 'live',
  broadcast_id: 1,
  stream_id: 1,
  status: 'active',
  action: 'active',
  reconnects: 0,
  date_start: new Date(Math.floor(now / minuteMs) * minuteMs - 42 * minuteMs).toISOString(),
  resolution: '1920x1080',
  fps: 60,
  bitrate: 6_000,
  key_frame: 2,
  video_codec_name: 'h264',
  audio_codec_name: 'aac',
  encoder: 'OBS',
  server: '',
  date_sample: new Date(now).toISOString(),
  restreams: [
    { id: 1, status: 'active', name: 'Twitch', type: 'twitch', state: 'live', viewers: 812 },
    { id: 2, status: 'active', name: 'YouTube', type: 'youtube', state: 'live', viewers: 430 },
    { id: 3, status: 'active', name: 'VK', type: 'vk', state: 'live', viewers: 58 },
  ],
})

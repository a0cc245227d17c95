import { expect, test } from 'vitest'
import { cardFamilies, type CardFamily } from '#server/relay/programs/cards.ts'
import { transcodeArguments } from './arguments.ts'

const asItComes = {
  id: 1,
  codec: 'h264',
  preset: 'veryfast',
  width: null,
  height: null,
  fps: null,
  videoKbps: null,
  audioKbps: null,
  rotation: null,
  bFrames: null,
} as const

const argumentsOf = (desired: object, card: CardFamily | null = null) =>
  transcodeArguments({ ...asItComes, ...desired }, card).join(' ')

test('omitted settings keep size, rate and audio, and use a quality instead of a bitrate', () => {
  const text = argumentsOf({})
  expect(text).not.toContain('-vf')
  expect(text).toContain('-c:a copy')
  expect(text).toContain('-crf 21')
})

test('rounds an odd size to even; one dimension keeps the aspect ratio, both add bars', () => {
  expect(argumentsOf({ height: 721 })).toContain('-vf scale=-2:720 ')
  expect(argumentsOf({ width: 1281, height: 720 })).toContain('scale=1280:720:force_original_aspect_ratio=decrease')
})

test('rotates before it scales', () => {
  expect(argumentsOf({ rotation: 2, height: 720, fps: 30 })).toContain('-vf transpose=2,scale=-2:720,fps=30 ')
})

test.each(cardFamilies)(
  '%s encodes without B-frames, at a constant bitrate or quality, with keyframes by time',
  (card) => {
    const text = argumentsOf({ codec: 'hevc', videoKbps: 4000, height: 720 }, card)
    expect(text).toContain(`-c:v hevc_${card} -tag:v hvc1`)
    expect(text).toContain('-b:v 4000k -maxrate 4000k -bufsize 4000k')
    expect(text).toContain('-bf 0')
    expect(text).toContain('-force_key_frames expr:')
    expect(text).not.toMatch(/libx26|zerolatency|  /)
    expect(argumentsOf({}, card)).not.toContain('-b:v')
  },
)

test('frames go to VAAPI behind the other filters, on the device that renders', () => {
  expect(argumentsOf({ height: 720 }, 'vaapi')).toContain('-vf scale=-2:720,format=nv12,hwupload ')
  expect(argumentsOf({}, 'vaapi')).toMatch(/-vaapi_device \/dev\/dri\/renderD\d+ .*-i pipe:0/)
})

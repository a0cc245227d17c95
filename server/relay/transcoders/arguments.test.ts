import { expect, test } from 'vitest'
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

const argumentsOf = (desired: object) => transcodeArguments({ ...asItComes, ...desired }).join(' ')

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

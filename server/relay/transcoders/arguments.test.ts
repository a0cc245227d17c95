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

const told = (wish: object) => transcodeArguments({ ...asItComes, ...wish }).join(' ')

test('omitted settings keep size, rate and audio, and use a quality instead of a bitrate', () => {
  const text = told({})
  expect(text).not.toContain('-vf')
  expect(text).toContain('-c:a copy')
  expect(text).toContain('-crf 21')
})

test('rounds an odd size to even; one dimension keeps the aspect ratio, both add bars', () => {
  expect(told({ height: 721 })).toContain('-vf scale=-2:720 ')
  expect(told({ width: 1281, height: 720 })).toContain('scale=1280:720:force_original_aspect_ratio=decrease')
})

test('rotates before it scales', () => {
  expect(told({ rotation: 2, height: 720, fps: 30 })).toContain('-vf transpose=2,scale=-2:720,fps=30 ')
})

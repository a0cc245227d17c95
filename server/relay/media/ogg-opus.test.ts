// Ogg pages that ffmpeg reads, and lengths of Opus packets.
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { hasPrograms } from '#server/relay/testing/programs.ts'
import { OggOpusWriter, opusSamples } from './ogg-opus.ts'

/** 20 ms of silence in mono. */
const silence = Buffer.from([0xf8, 0xff, 0xfe])

test.each([
  ['nothing', [], 0],
  ['a frame of 10 ms', [0x00], 480],
  ['a frame of 60 ms', [0x18], 2880],
  ['a hybrid frame of 20 ms', [0x68], 960],
  ['a frame of 2.5 ms', [0x80], 120],
  ['a frame of 20 ms', [0xf8], 960],
  ['two frames of 20 ms', [0xf9], 1920],
  ['six frames of 20 ms', [0xfb, 6], 5760],
  ['seven frames of 20 ms, which are too many', [0xfb, 7], 0],
])('counts the samples of %s', (_, bytes, samples) => {
  expect(opusSamples(Buffer.from(bytes))).toBe(samples)
})

test.skipIf(!hasPrograms)('ffmpeg decodes the pages to as many samples as they have', () => {
  const ogg = new OggOpusWriter()
  const pages = Array.from({ length: 50 }, (_, at) => ogg.page(silence, (at + 1) * 960))
  // A packet of more than one lacing value.
  const padded = Buffer.concat([Buffer.from([0xfb, 0x41, 255, 46, 0xff, 0xfe]), Buffer.alloc(300)])
  const input = Buffer.concat([ogg.head(1), ...pages, ogg.page(padded, 51 * 960)])
  const args = '-v error -xerror -err_detect +crccheck -f ogg -i pipe:0 -f s16le pipe:1'.split(' ')
  const { stdout, stderr } = spawnSync('ffmpeg', args, { input })
  expect(stderr.toString()).toBe('')
  expect(stdout.length / 2).toBe(51 * 960)
})

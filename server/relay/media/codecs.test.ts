import { expect, test } from 'vitest'
import { inspectAudio, inspectVideo } from './codecs.ts'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'hex')
const fourCc = (text: string): string => Buffer.from(text).toString('hex')

test.each([
  ['AVC header', '17 00 000000', 'header', 'avc1'],
  ['AVC keyframe', '17 01 000000', 'key', 'avc1'],
  ['AVC frame', '27 01 000000', 'frame', 'avc1'],
  ['end of an AVC sequence', '17 02 000000', 'frame', 'avc1'],
  ['HEVC as encoders sent it before it had a name', '1c 00 000000', 'header', 'hvc1'],
  ['enhanced HEVC header', `90 ${fourCc('hvc1')}`, 'header', 'hvc1'],
  ['enhanced HEVC keyframe', `91 ${fourCc('hvc1')} 000000`, 'key', 'hvc1'],
  ['enhanced HEVC end of sequence', `92 ${fourCc('hvc1')}`, 'frame', 'hvc1'],
  ['enhanced HEVC frame without composition time', `a3 ${fourCc('hvc1')}`, 'frame', 'hvc1'],
  ['enhanced AV1 keyframe', `91 ${fourCc('av01')}`, 'key', 'av01'],
  ['AV1 header of a transport stream', `95 ${fourCc('av01')}`, 'header', 'av01'],
  ['a modifier in front', `97 02 aabbcc 01 ${fourCc('hvc1')}`, 'key', 'hvc1'],
])('%s', (_, bytes, role, codec) => {
  expect(inspectVideo(hex(bytes))).toEqual({ role, codec })
})

test.each([
  ['AAC header', 'af 00', 'header', 'aac '],
  ['AAC frame', 'af 01', 'frame', 'aac '],
  ['MP3', '2f', 'frame', 'mp3 '],
  ['enhanced Opus header', `90 ${fourCc('Opus')}`, 'header', 'Opus'],
  ['enhanced Opus frame', `91 ${fourCc('Opus')}`, 'frame', 'Opus'],
])('%s', (_, bytes, role, codec) => {
  expect(inspectAudio(hex(bytes))).toMatchObject({ role, codec })
})

test('accepts any bytes without an error', () => {
  let looks = 0
  for (let seed = 0; seed < 65_536; seed += 3) {
    const bytes = Buffer.from([seed >> 8, seed & 0xff, 0xff, seed & 7])
    for (let length = 0; length <= 4; length++) {
      inspectVideo(bytes.subarray(0, length))
      inspectAudio(bytes.subarray(0, length))
      looks++
    }
  }
  expect(looks).toBe(21_846 * 5)
})

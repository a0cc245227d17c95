// Pictures by the parameter sets of real encoders, and hostile sets.
import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { folder, hasPrograms } from '#server/relay/testing/programs.ts'
import { avcHeader } from '#server/relay/testing/frames.ts'
import { encodeAmf } from '#server/relay/rtmp/amf0.ts'
import { messageType } from '#server/relay/rtmp/message.ts'
import { Hub } from './hub.ts'
import { picturesOf } from './sps.ts'

const run = promisify(execFile)

type Codec = 'avc1' | 'hvc1'
const encoders = {
  avc1: { name: 'libx264', box: 'avcC', first: 0x17 },
  hvc1: { name: 'libx265', box: 'hvcC', first: 0x1c },
} as const

/** Header of a video message with this decoder configuration. */
const headerOf = (codec: Codec, configuration: Buffer): Buffer =>
  Buffer.concat([Buffer.from([encoders[codec].first, 0, 0, 0, 0]), configuration])

/** Encodes two frames. @returns the header of the stream */
async function encoded(codec: Codec, size: string, rate: string, options: readonly string[] = []): Promise<Buffer> {
  const dir = folder()
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const { name, box } = encoders[codec]
  const file = join(dir, 'two.mp4')
  const source = ['-f', 'lavfi', '-i', `color=gray:size=${size}:rate=${rate}`, '-frames:v', '2']
  const quiet = codec === 'hvc1' ? ['-x265-params', 'log-level=none', '-tag:v', 'hvc1'] : []
  const coder = ['-c:v', name, '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...quiet, ...options]
  await run('ffmpeg', ['-v', 'error', '-y', ...source, ...coder, file])
  const bytes = readFileSync(file)
  const at = bytes.indexOf(box)
  return headerOf(codec, bytes.subarray(at + 4, at - 4 + bytes.readUInt32BE(at - 4)))
}

test.skipIf(!hasPrograms).each<[Codec, string, string, number, (readonly string[])?]>([
  ['avc1', '1920x1080', '30', 30],
  ['avc1', '1280x720', '60', 60],
  ['avc1', '640x360', '30000/1001', 29.97],
  ['avc1', '608x1080', '25', 25],
  ['avc1', '1080x1920', '24', 24],
  ['avc1', '426x240', '15', 15],
  ['avc1', '854x480', '10', 10],
  ['avc1', '1440x1080', '25', 25, ['-aspect', '16:9', '-color_primaries', 'bt709', '-color_trc', 'bt709']],
  ['avc1', '1920x1080', '25', 25, ['-flags', '+ilme+ildct']],
  ['avc1', '642x362', '30', 30, ['-pix_fmt', 'yuv444p']],
  ['avc1', '642x362', '30', 30, ['-pix_fmt', 'yuv422p']],
  ['avc1', '642x362', '30', 30, ['-profile:v', 'baseline']],
  ['hvc1', '1920x1080', '30', 30],
  ['hvc1', '1280x720', '60', 60],
  ['hvc1', '608x1080', '30000/1001', 29.97],
  ['hvc1', '854x480', '25', 25, ['-pix_fmt', 'yuv444p']],
  ['hvc1', '640x360', '30', 30, ['-preset', 'medium']],
])('%s of %s at %s', async (codec, size, rate, frameRate, options) => {
  const [width, height] = size.split('x').map(Number)
  expect(picturesOf(await encoded(codec, size, rate, options), codec)).toEqual({ width, height, frameRate })
})

/** Sets of x264 and x265: 1920×1080 at 30 frames a second, with emulation prevention bytes. */
const sets = {
  avc1: '67640028acd940780227e5c044000003000400000300f03c60c658',
  hvc1: '420101016000000300900000030000030078a003c08010e596566924caf0168080000003008000000f04',
} as const

const avcWith = (set: Buffer): Buffer => {
  const record = [1, set[1] ?? 0, set[2] ?? 0, set[3] ?? 0, 0xff, 0xe1, set.length >> 8, set.length & 255]
  return headerOf('avc1', Buffer.concat([Buffer.from(record), set, Buffer.from([1, 0, 1, 0x68])]))
}
const hevcWith = (set: Buffer): Buffer => {
  const record = Buffer.alloc(23)
  record[21] = 0x0f
  record[22] = 1
  const array = Buffer.from([0x21, 0, 1, set.length >> 8, set.length & 255])
  return headerOf('hvc1', Buffer.concat([record, array, set]))
}
const wrapped = { avc1: avcWith, hvc1: hevcWith } as const
const setOf = (codec: Codec) => Buffer.from(sets[codec], 'hex')

test.each<Codec>(['avc1', 'hvc1'])('reads a set of %s with emulation prevention', (codec) => {
  expect(picturesOf(wrapped[codec](setOf(codec)), codec)).toEqual({ width: 1920, height: 1080, frameRate: 30 })
})

test.each<Codec>(['avc1', 'hvc1'])(
  'hostile sets of %s: an answer within bounds, or none, and never an error',
  (codec) => {
    const base = [...setOf(codec)]
    const mutated = fc
      .array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
      .map((changes) => {
        const set = Buffer.from(base)
        for (const [at, byte] of changes) set[at] = byte
        return set
      })
    const cut = fc.nat(base.length).map((length) => Buffer.from(base).subarray(0, length))
    const random = fc
      .uint8Array({ maxLength: 300 })
      .map((bytes) => Buffer.concat([Buffer.from(base.slice(0, 4)), bytes]))
    fc.assert(
      fc.property(fc.oneof(mutated, cut, random), (set) => {
        const pictures = picturesOf(wrapped[codec](set), codec)
        if (pictures === null) return
        for (const pixels of [pictures.width, pictures.height]) {
          expect(pixels).toBeGreaterThan(0)
          expect(pixels).toBeLessThanOrEqual(16_384)
        }
        expect(pictures.frameRate).toBeLessThanOrEqual(240)
      }),
      { numRuns: 20_000 },
    )
  },
)

test('a whole hostile message has no pictures, whichever codec it claims', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom('avc1', 'hvc1', 'av01', ''), (bytes, codec) => {
      expect(() => picturesOf(Buffer.from(bytes), codec)).not.toThrow()
    }),
    { numRuns: 5_000 },
  )
})

test('endless zeros, endless lists and a set beyond 4 KB end at once', () => {
  const started = performance.now()
  for (const filling of [0x00, 0xff, 0x55, 0x80])
    for (const codec of ['avc1', 'hvc1'] as const) {
      const set = Buffer.concat([setOf(codec).subarray(0, 5), Buffer.alloc(60_000, filling)])
      expect(picturesOf(wrapped[codec](set), codec)).toBeNull()
      expect(() => picturesOf(wrapped[codec](set.subarray(0, 4_000)), codec)).not.toThrow()
    }
  expect(performance.now() - started).toBeLessThan(2_000)
})

test.skipIf(!hasPrograms)('a hub believes the header of the video, not the metadata', async () => {
  const hub = new Hub()
  const metadata = encodeAmf('onMetaData', { width: 3840, height: 2160, framerate: 60, encoder: 'Liar 1.0' })
  hub.push([{ type: messageType.data, streamId: 1, timestamp: 0, payload: metadata }], 0)
  expect(hub.facts()).toMatchObject({ width: 3840, height: 2160, frameRate: 60 })
  const payload = await encoded('avc1', '1280x720', '30')
  hub.push([{ type: messageType.video, streamId: 1, timestamp: 0, payload }], 0)
  // The metadata counts frames, and 30 is no half of 60 there: the header counts.
  expect(hub.facts()).toMatchObject({ width: 1280, height: 720, frameRate: 30, encoder: 'Liar 1.0' })
  // A header that cannot be read leaves the metadata.
  hub.push([avcHeader()], 0)
  expect(hub.facts()).toMatchObject({ width: 3840, height: 2160 })
})

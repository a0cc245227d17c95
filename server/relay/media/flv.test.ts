import { sendFlv } from './flv-sender.ts'
import type { Message } from '#server/relay/rtmp/message.ts'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { encodeAmf } from '#server/relay/rtmp/amf0.ts'
import { aacHeader, audio, avcHeader, interframe, keyframe, stream } from '#server/relay/testing/frames.ts'
import { decodeErrors, folder, hasPrograms, probe, sample } from '#server/relay/testing/programs.ts'
import { flvHeader, FlvReader, writeTag } from './flv.ts'
import { Hub } from './hub.ts'

const everything = { audio: true, video: true }
const file = (messages: readonly Message[]): Buffer =>
  Buffer.concat([flvHeader(everything), ...messages.map((message) => writeTag(message))])

/** Collects the written bytes. */
const collector = () => {
  const pieces: Buffer[] = []
  const out = new Writable({ write: (piece: Buffer, _, done) => (pieces.push(piece), done()) })
  return { out, bytes: () => Buffer.concat(pieces) }
}

const messages = [avcHeader(), aacHeader(), ...stream(0xffffff - 400, 1), interframe(2 ** 32 - 1)]

test('reads written tags for any split of the bytes', () => {
  const bytes = file(messages)
  for (const size of [1, 3, 7, 1000, bytes.length]) {
    const reader = new FlvReader()
    const read: Message[] = []
    for (let at = 0; at < bytes.length; at += size) read.push(...reader.read(bytes.subarray(at, at + size)))
    expect(read).toEqual(messages)
  }
})

test('writes metadata without `@setDataFrame`', () => {
  const values = ['onMetaData', { width: 1920 }]
  const payload = encodeAmf('@setDataFrame', ...values)
  const [read] = new FlvReader().read(file([{ type: 18, streamId: 1, timestamp: 0, payload }]))
  expect(read?.payload).toEqual(encodeAmf(...values))
})

test('keeps an incomplete tag, and rejects data that is not FLV', () => {
  const bytes = file([keyframe(0), audio(20)])
  expect(new FlvReader().read(bytes.subarray(0, -1))).toEqual([keyframe(0)])
  expect(() => new FlvReader().read(Buffer.from('<html>'))).toThrow('not FLV')
  const damaged = Buffer.from(bytes)
  damaged[16] = 99
  expect(() => new FlvReader().read(damaged)).toThrow('FLV tag')
})

test('starts a late receiver with headers and the group since the last keyframe', () => {
  const hub = new Hub()
  hub.push([avcHeader(), aacHeader(), ...stream(0, 2)], 0)
  const { out, bytes } = collector()
  const outlet = sendFlv(hub, out, () => 1e6)
  hub.push([...stream(2000, 1)], 0)
  outlet.close()
  hub.push([...stream(3000, 1)], 0)
  expect(bytes().subarray(0, 9)).toEqual(flvHeader(everything).subarray(0, 9))
  const read = new FlvReader().read(bytes())
  const moved = [avcHeader(), aacHeader()].map((header) => ({ ...header, timestamp: 1000 }))
  expect(read.slice(0, 3)).toEqual([...moved, keyframe(1000)])
  expect(read).toHaveLength(2 + 100)
})

test.skipIf(!hasPrograms)('ffmpeg reads written FLV, and its FLV is read', async () => {
  const dir = folder()
  const source = await sample(dir, 2)
  const read = new FlvReader().read(readFileSync(source))
  // Two headers, and the end of the sequence.
  expect(read.filter(({ type }) => type !== 18)).toHaveLength((await probe(source)).length + 3)
  const hub = new Hub()
  const { out, bytes } = collector()
  const outlet = sendFlv(hub, out, () => 1e6)
  hub.push(read, 0)
  outlet.close()
  const copy = join(dir, 'copy.flv')
  writeFileSync(copy, bytes())
  expect((await probe(copy)).filter(({ codec_type }) => codec_type === 'video')).toHaveLength(60)
  expect(await decodeErrors(copy)).toBe('')
  rmSync(dir, { recursive: true })
})

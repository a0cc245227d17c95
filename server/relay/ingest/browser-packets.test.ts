// Messages of a browser: what becomes of media, and hostile input.
import { expect, test } from 'vitest'
import { browserKinds, browserMessageBytes } from '#contract/entities/browser-ingest.ts'
import { inspectAudio, inspectVideo } from '#server/relay/media/codecs.ts'
import { readMetadata } from '#server/relay/media/metadata.ts'
import { ProtocolError } from '#server/relay/rtmp/protocol-error.ts'
import { avcConfiguration, browserMessage, sent } from '#server/relay/testing/browser.ts'
import { BrowserReader } from './browser-packets.ts'

const { video, opus, pcm } = browserKinds
const messagesOf = (reader: BrowserReader, bytes: Buffer) => {
  const media = reader.read(bytes)
  return media.type === 'messages' ? media.messages : []
}
const pcmHeader = (rate: number) => {
  const payload = Buffer.alloc(4)
  payload.writeUInt32BE(rate)
  return browserMessage({ kind: pcm, isHeader: true, payload })
}
const opusHeader = (channels: number) =>
  browserMessage({ kind: opus, isHeader: true, payload: Buffer.from([channels]) })

test('video and AAC become messages of an encoder, with metadata about the picture', () => {
  const reader = new BrowserReader()
  const [metadata, header] = messagesOf(reader, sent.videoHeader(5))
  expect(readMetadata(metadata?.payload ?? Buffer.alloc(0))).toMatchObject({
    width: 320,
    height: 180,
    encoder: 'Browser',
  })
  expect(inspectVideo(header?.payload ?? Buffer.alloc(0))).toEqual({ role: 'header', codec: 'avc1' })
  const roles = [sent.keyframe(10), sent.interframe(50)].map((bytes) => {
    const [{ payload, timestamp } = { payload: Buffer.alloc(0), timestamp: -1 }] = messagesOf(reader, bytes)
    return [inspectVideo(payload).role, timestamp, payload.readIntBE(2, 3)]
  })
  expect(roles).toEqual([
    ['key', 10, 0],
    ['frame', 50, 0],
  ])
  const sounds = [sent.aacHeader(), sent.aac(20)].map(
    (bytes) => inspectAudio(messagesOf(reader, bytes)[0]!.payload).role,
  )
  expect(sounds).toEqual(['header', 'frame'])
})

test.each<[string, Buffer[], string]>([
  ['nothing', [Buffer.alloc(0)], 'no media'],
  ['a head alone', [Buffer.alloc(6)], 'no media'],
  ['more than 1 MB', [Buffer.alloc(browserMessageBytes + 1, video)], '1 MB'],
  ['an unknown kind', [browserMessage({ kind: 10, payload: Buffer.alloc(1) })], 'unknown'],
  ['a frame without a header', [sent.keyframe(0)], 'before its header'],
  ['a time that goes back', [sent.videoHeader(), sent.keyframe(5000), sent.interframe(3999)], 'goes back'],
  [
    'a configuration of another version',
    [browserMessage({ kind: video, isHeader: true, payload: Buffer.alloc(40) })],
    'H.264',
  ],
  [
    'an SPS without a size',
    [browserMessage({ kind: video, isHeader: true, payload: avcConfiguration.subarray(0, 12) })],
    'no picture size',
  ],
  [
    'a unit longer than its frame',
    [sent.videoHeader(), browserMessage({ kind: video, payload: Buffer.from([0, 0, 1, 0, 0x65]) })],
    'incomplete',
  ],
  ['Opus with three channels', [opusHeader(3)], 'one or two channels'],
  ['PCM at 1 Hz', [pcmHeader(1)], 'sample rate'],
  ['half a sample', [pcmHeader(48_000), browserMessage({ kind: pcm, payload: Buffer.alloc(3) })], 'incomplete'],
  ['a large Opus packet', [opusHeader(1), browserMessage({ kind: opus, payload: Buffer.alloc(1276) })], 'too large'],
  [
    'Opus after PCM took its place',
    [opusHeader(1), pcmHeader(48_000), browserMessage({ kind: opus, payload: Buffer.alloc(3) })],
    'without a header',
  ],
])('refuses %s', (_, messages, words) => {
  const reader = new BrowserReader()
  const read = () => messages.forEach((bytes) => reader.read(bytes))
  expect(read).toThrow(ProtocolError)
  expect(read).toThrow(words)
})

test('accepts a time that goes back by a second', () => {
  const reader = new BrowserReader()
  for (const bytes of [sent.videoHeader(), sent.keyframe(5000), sent.interframe(4000)]) reader.read(bytes)
  expect(reader.hasVideo).toBe(true)
})

test('survives messages that were changed anywhere', () => {
  const originals = [
    ...sent.headers(),
    sent.keyframe(40),
    sent.interframe(80),
    sent.aac(60),
    opusHeader(2),
    pcmHeader(44_100),
    browserMessage({ kind: pcm, payload: Buffer.alloc(960) }),
    browserMessage({ kind: opus, payload: Buffer.alloc(100) }),
  ]
  let state = 7
  const random = (below: number) => ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 8) % below
  let [read, refused] = [0, 0]
  for (let round = 0; round < 4_000; round++) {
    const reader = new BrowserReader()
    for (const bytes of sent.headers()) reader.read(bytes)
    for (let piece = 0; piece < 15; piece++) {
      const bytes = Buffer.from(originals[random(originals.length)] ?? Buffer.alloc(0))
      for (let left = random(4); left >= 0; left--) bytes[random(bytes.length)] = random(256)
      const cut = bytes.subarray(0, random(8) === 0 ? random(bytes.length + 1) : bytes.length)
      try {
        reader.read(cut)
        read++
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
        refused++
      }
    }
  }
  expect(read).toBeGreaterThan(1_000)
  expect(refused).toBeGreaterThan(1_000)
})

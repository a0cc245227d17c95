// Malicious encoders with a valid key: the relay's reports stay readable, no error ends a process, and memory is bounded.
import { type Message, messageType } from './rtmp/message.ts'
import { FromNode } from '#contract/relay/from-node.ts'
import { readMessage } from '#contract/relay/protocol.ts'
import type { RelayEvent } from '#contract/relay/events.ts'
import { expect, test } from 'vitest'
import { plainLink } from './ingest/publication.ts'
import { Live } from './live.ts'
import { Tracks } from './media/tracks.ts'
import { Hub } from './media/hub.ts'
import { type Amf, encodeAmf } from './rtmp/amf0.ts'
import { ProtocolError } from './rtmp/protocol-error.ts'
import { enhancedHeader, enhancedSecond, opus } from './testing/enhanced.ts'
import { aacHeader, avcHeader, stream } from './testing/frames.ts'

const rounds = 20_000
const metadata = (facts: Amf): Message => ({
  type: messageType.data,
  timestamp: 0,
  streamId: 1,
  payload: Buffer.concat([encodeAmf('@setDataFrame'), encodeAmf('onMetaData'), encodeAmf(facts)]),
})
const seeds: readonly Message[] = [
  metadata({ width: 1280, height: 720, encoder: 'Lavf' }),
  avcHeader(),
  aacHeader(),
  ...[...stream(0, 1)].slice(0, 6),
  enhancedHeader('hvc1'),
  ...[...enhancedSecond('av01', 0)].slice(0, 4),
  opus(0, 0),
]

function randomFrom(start: number): (most: number) => number {
  let state = start >>> 0
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

test(`${rounds} mutated messages of an encoder that was let in`, () => {
  const upTo = randomFrom(20_261_122)
  const events: RelayEvent[] = []
  let ended = false
  const live = new Live(7, {
    graceMs: 60_000,
    dial: { allowPrivateDestinations: true },
    onEvent: (event) => events.push(event),
    onEnd: () => (ended = true),
  })
  const session = { end: () => undefined, received: () => 0, link: () => plainLink() }
  const publication = live.begin(session, { encoder: 'test', address: '192.0.2.1' })
  const tracks = new Tracks()
  // Every consumer of packets parses them in its own way.
  live.hub.follow({ takeAll: (bundle) => void bundle.chunks() })
  live.hub.attach({ take: (packet) => void packet.tag() })
  let reported = 0
  for (let round = 0; round < rounds; round++) {
    const seed = seeds[upTo(seeds.length)] ?? avcHeader()
    const payload = Buffer.from(seed.payload).subarray(0, upTo(20) === 0 ? upTo(8) : undefined)
    for (let change = upTo(4); change > 0 && payload.length > 0; change--)
      payload[upTo(Math.min(40, payload.length))] = upTo(256)
    try {
      const sent = { ...seed, timestamp: upTo(2 ** 32), payload }
      publication.take(sent, tracks.split(sent))
    } catch (error) {
      // The error closes the encoder's connection only.
      if (!(error instanceof ProtocolError)) throw error
    }
    if (round % 20 > 0) continue
    const message = { type: 'event', seq: 1, event: live.watch(Date.now()) }
    const text = JSON.stringify(message)
    expect(text).not.toMatch(/\\u00[01]|\\b|\\f|\\n|\\r|\\t/)
    expect(readMessage(FromNode, text)).not.toBeNull()
    reported++
  }
  expect(reported).toBe(rounds / 20)
  live.end()
  expect(ended).toBe(true)
})

test('keeps one header of each kind and no large one', () => {
  const hub = new Hub()
  const large = Buffer.concat([avcHeader().payload, Buffer.alloc(1_000_000)])
  hub.push([avcHeader(), aacHeader(), { ...avcHeader(), payload: large }, metadata('x'.repeat(100_000))], Date.now())
  expect(hub.headers().map(({ payload }) => payload)).toEqual([avcHeader().payload, aacHeader().payload])
})

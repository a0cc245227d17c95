// HEVC, AV1 and Opus by Enhanced RTMP: nothing is decoded here, so every byte goes through, and late receivers get headers.
import type { Message } from './rtmp/message.ts'
import { expect, test } from 'vitest'
import { type EnhancedCodec, enhancedHeader, enhancedSecond, inTrack, opus } from './testing/enhanced.ts'
import type { FaultyPlatform } from './testing/faulty-platform.ts'
import { onAir, project, type Rig, setUp, targetOf, until } from './testing/rig.ts'

const bytesOf = (messages: Iterable<Message>) => [...messages].map(({ payload }) => payload.toString('hex'))
const arrivedAt = ({ arrived }: FaultyPlatform) => arrived.map(({ packet }) => packet.payload.toString('hex'))

async function begin(made: Rig, codec: EnhancedCodec) {
  const encoder = made.encode()
  expect(await encoder.outcome).toBe('live')
  const opening = [enhancedHeader(codec), opus(0, 0)]
  encoder.send(...opening, ...enhancedSecond(codec, 0))
  return { encoder, opening }
}

test.each(['hvc1', 'av01'] as const)('forwards %s unchanged to an early and to a late receiver', async (codec) => {
  const [made, there, late] = await setUp(1)
  const { encoder, opening } = await begin(made, codec)
  await until(() => there.arrived.length === 52)
  expect(arrivedAt(there)).toEqual(bytesOf([...opening, ...enhancedSecond(codec, 0)]))
  encoder.send(...enhancedSecond(codec, 1000))
  await until(() => there.arrived.length === 102)
  const both = [there, late].map((one, index) => ({ id: index + 1, target: targetOf(one) }))
  made.relay.update(project, { destinations: both })
  await until(() => late.arrived.length === 52)
  expect(arrivedAt(late)).toEqual(bytesOf([...opening, ...enhancedSecond(codec, 1000)]))
  expect(late.arrived[2]?.packet).toMatchObject({ role: 'key', codec })
  await until(() => made.samples.some(({ ingest }) => ingest.videoCodec === codec && ingest.audioCodec === 'Opus'))
})

test('reports an event when a platform does not announce the codec', async () => {
  const [made, silent, offering] = await setUp(2)
  offering.fault = 'offers-everything'
  await begin(made, 'hvc1')
  await until(() => made.report(1)?.lacks === 'hvc1, Opus')
  await until(() => offering.arrived.length === 52)
  expect(silent.arrived.length).toBe(52)
  expect(made.report(2)?.lacks).toBe('')
})

test('reports no event for H.264 and AAC', async () => {
  const [made] = await setUp(1)
  await onAir(made)
  await until(() => made.samples.filter(({ destinations }) => destinations[0]?.state === 'live').length >= 2)
  expect(made.report(1)?.lacks).toBe('')
})

test('forwards the first video track and the first audio track of several', async () => {
  const [made, platform] = await setUp(1)
  const encoder = made.encode()
  expect(await encoder.outcome).toBe('live')
  const first = [enhancedHeader('hvc1'), opus(0, 0), ...enhancedSecond('hvc1', 0)]
  encoder.send(...first.flatMap((one) => [one, inTrack(1, one), inTrack(2, one)]))
  await until(() => platform.arrived.length >= first.length)
  expect(arrivedAt(platform)).toEqual(bytesOf(first))
  // Recordings, HLS, previews and thumbnails read from here.
  const hub = made.relay.live(project)?.hub
  expect([...(hub?.headers() ?? []), ...(hub?.group() ?? [])].map(({ payload }) => payload.toString('hex'))).toEqual(
    bytesOf(first),
  )
  await until(() => made.samples.some(({ ingest }) => ingest.fps > 0 && ingest.fps < 40))
})

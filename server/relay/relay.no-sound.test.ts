// Encoders without sound, with real pictures: silence for channels that need sound.
import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { aacHeader, avcHeader, keyframe, stream } from './testing/frames.ts'
import { expectDecodes } from './testing/containers.ts'
import { folder, hasPrograms, platform, probe, publish, sample } from './testing/programs.ts'
import { live, project, rig, setUp, targetOf, until } from './testing/rig.ts'

test.skipIf(!hasPrograms)(
  'a channel that needs sound receives silence, and another one the stream as it is',
  async () => {
    const dir = folder()
    const nginx = await platform()
    const made = await rig([])
    onTestFinished(async () => {
      await made.close()
      await nginx.stop()
      rmSync(dir, { recursive: true })
    })
    const target = (key: string) => ({ ...targetOf(nginx), app: 'live', key })
    const file = await sample(dir, 12, ['-an'])
    const encoder = publish(file, `rtmp://127.0.0.1:${made.port}/live/good`)
    await until(() => made.events.some(({ type }) => type === 'source-began'))
    made.relay.update(project, {
      destinations: [
        { id: 1, target: target('needs'), silence: true },
        { id: 2, target: target('plain') },
      ],
    })
    await Promise.all([live(made, 1), live(made, 2)])
    expect((await encoder.done()).code).toBe(0)
    await until(() => made.events.some(({ type }) => type === 'ended'))
    const needs = await nginx.recorded('needs')
    const sounds = (await probe(needs)).filter(({ codec_type }) => codec_type === 'audio')
    expect(sounds.length).toBeGreaterThan(100)
    expect(Math.max(...sounds.slice(1).map(({ dts_time }, at) => dts_time - sounds[at]!.dts_time))).toBeLessThan(0.05)
    expect(await expectDecodes(needs, dir)).toBeGreaterThan(90)
    expect(nginx.recordings('needs')).toHaveLength(1)
    const plain = await probe(await nginx.recorded('plain'))
    expect(plain.some(({ codec_type }) => codec_type === 'audio')).toBe(false)
  },
)

test('a channel that needs sound receives a stream with sound from its beginning, byte for byte', async () => {
  const [made, one, two] = await setUp(1, { graceMs: 60_000 })
  const encoder = made.encode()
  expect(await encoder.outcome).toBe('live')
  made.relay.update(project, {
    destinations: [
      { id: 1, target: targetOf(one) },
      { id: 2, target: targetOf(two), silence: true },
    ],
  })
  encoder.send(avcHeader(), aacHeader(), ...stream(0, 2))
  await Promise.all([live(made, 1), live(made, 2)])
  encoder.send(...stream(2_000, 1), keyframe(3_000, 77))
  const media = ({ arrived }: typeof one) =>
    arrived.map(({ packet }) => packet).filter(({ role, timestamp }) => role !== 'header' && timestamp >= 2_000)
  const isLast = ({ payload }: { readonly payload: Buffer }) => payload.length === 82
  await until(() => [one, two].every((at) => media(at).some(isLast)))
  expect(media(one)).toHaveLength(51)
  expect(media(two)).toEqual(media(one))
  expect(two.arrived.some(({ packet }) => packet.kind === 'audio' && packet.role === 'header')).toBe(true)
})

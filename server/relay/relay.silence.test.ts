// Encoders that send nothing over an open connection.
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aacHeader, audio, avcHeader, interframe, keyframe, stream } from './testing/frames.ts'
import { decodeErrors, folder, hasPrograms, platform, probe, publish, sample } from './testing/programs.ts'
import { onAir, project, setUp, targetOf, times, until, rig } from './testing/rig.ts'

const silentMs = 1_000
const kinds = (made: Awaited<ReturnType<typeof setUp>>[0]) =>
  made.events.flatMap(({ type }) => (type.startsWith('source') ? [type] : []))

test('an encoder silent for a second over an open connection is lost, and continues at its next keyframe', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs })
  const encoder = await onAir(made)
  await until(() => times(one).length === 50)
  const at = performance.now()
  const lost = await until(() => made.events.find(({ type }) => type === 'source-lost'))
  expect(lost).toMatchObject({ how: 'silent' })
  expect(performance.now() - at).toBeGreaterThan(900)
  // The last picture is repeated.
  await until(() => times(one).length > 52)
  // The rest of a group cannot be decoded after the repeated picture.
  encoder.send(interframe(1_000, 77), audio(1_010))
  encoder.send(avcHeader(5_000, 2), aacHeader(5_000), keyframe(5_000, 77), audio(5_010), interframe(5_040, 77))
  await until(() => one.arrived.some(({ packet }) => packet.payload.length === 82 && packet.role === 'key'))
  await until(() => one.arrived.filter(({ packet }) => packet.payload.length === 82).length === 2)
  expect(kinds(made)).toEqual(['source-began', 'source-lost', 'source-began'])
  const all = times(one)
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect(one.connections()).toBe(1)
})

test('an encoder that is silent in a pause with a picture, and sends again, is back', async () => {
  const frames = [keyframe(0, 55).payload, interframe(0, 55).payload]
  const slates = { get: () => ({ header: avcHeader(0, 9).payload, frames, frameMs: 100 }) }
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs, slates })
  const encoder = await onAir(made)
  await until(() => times(one).length === 50)
  made.relay.update(project, {
    destinations: [{ id: 1, target: targetOf(one) }],
    paused: true,
    slates: { pause: 'pause.png' },
  })
  await until(() => made.events.some(({ type }) => type === 'source-lost'))
  await until(() => one.arrived.some(({ packet }) => packet.payload.length === 60))
  encoder.send(interframe(9_000), audio(9_010))
  await until(() => kinds(made).length === 3)
  expect(kinds(made)).toEqual(['source-began', 'source-lost', 'source-began'])
})

test('an encoder that hung before its connection broke is replaced a second after its last frame', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000 })
  const encoder = await onAir(made)
  await until(() => times(one).length === 50)
  await wait(1_000)
  const at = performance.now()
  encoder.destroy()
  await until(() => times(one).length > 50)
  // A second after the connection would be too late.
  expect(performance.now() - at).toBeLessThan(900)
})

test('the open connection of a silent encoder does not keep its broadcast on air', async () => {
  const [made] = await setUp(0, { graceMs: 500, silentMs })
  const encoder = await onAir(made)
  await until(() => made.events.some(({ type }) => type === 'ended'))
  expect(await encoder.over).toContain('The broadcast was ended')
  expect(kinds(made)).toEqual(['source-began', 'source-lost'])
})

test('an encoder that sends again keeps its broadcast until its next keyframe', async () => {
  const [made, one] = await setUp(1, { graceMs: 1_500, silentMs })
  const encoder = await onAir(made)
  await until(() => made.events.some(({ type }) => type === 'source-lost'))
  const timer = setInterval(() => encoder.send(interframe(9_000), audio(9_000)), 100)
  await wait(2_500)
  clearInterval(timer)
  encoder.send(keyframe(9_100, 77))
  await until(() => one.arrived.some(({ packet }) => packet.payload.length === 82))
  expect(made.events.filter(({ type }) => type === 'ended')).toEqual([])
})

test('waits for the first media of an encoder as long as its lookahead takes', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs })
  const encoder = made.encode()
  expect(await encoder.outcome).toBe('live')
  encoder.send(avcHeader(), aacHeader())
  await wait(2_000)
  encoder.send(...stream(0, 1))
  await until(() => times(one).length >= 50)
  expect(kinds(made)).toEqual(['source-began'])
})

test.skipIf(!hasPrograms)('a stopped ffmpeg is replaced by its last picture until it continues', async () => {
  const dir = folder()
  const source = await sample(dir, 3)
  const nginx = await platform()
  const target = { protocol: 'rtmp', host: '127.0.0.1', port: nginx.port, app: 'live', key: 'one' } as const
  const made = await rig([target], { graceMs: 30_000, silentMs })
  const encoder = publish(source, `rtmp://127.0.0.1:${made.port}/live/good`, ['-stream_loop', '-1'])
  await until(() => made.report(1)?.state === 'live')
  encoder.child.kill('SIGSTOP')
  const stopped = performance.now()
  await until(() => made.events.some(({ type }) => type === 'source-lost'))
  expect(performance.now() - stopped).toBeLessThan(2_000)
  await wait(5_000)
  encoder.child.kill('SIGCONT')
  await until(() => made.events.filter(({ type }) => type === 'source-began').length === 2)
  await wait(2_000)
  const seconds = (performance.now() - stopped) / 1000
  await encoder.stop()
  made.relay.stop(7)
  expect(made.report(1)?.reconnects).toBe(0)
  await made.close()
  const file = await nginx.recorded('one')
  expect(nginx.recordings('one')).toHaveLength(1)
  expect(await decodeErrors(file)).toBe('')
  const packets = await probe(file)
  for (const type of ['video', 'audio']) {
    const track = packets.filter(({ codec_type }) => codec_type === type).map(({ dts_time }) => dts_time)
    expect(track).toEqual(track.toSorted((a, b) => a - b))
    expect(Math.max(...track.slice(1).map((time, at) => time - (track[at] ?? 0)))).toBeLessThan(2.5)
    // Late media is dropped: the stream ends with the clock, not five seconds behind it.
    expect((track.at(-1) ?? 0) - (track[0] ?? 0)).toBeLessThan(seconds + 4)
  }
  await nginx.stop()
  rmSync(dir, { recursive: true })
})

// Delayed channels, and the bitrate limit of the tariff.
import { expect, onTestFinished, test } from 'vitest'
import { BitrateLimit } from './media/bitrate-limit.ts'
import { sendTooMuch } from './testing/encoder.ts'
import { aacHeader, avcHeader, interframe, keyframe, stream } from './testing/frames.ts'
import { live, onAir, project, setUp, targetOf, times, until } from './testing/rig.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('sends the same frames to a delayed channel later, and connects it when the first one is due', async () => {
  const [made, now, late] = await setUp(1)
  const encoder = await onAir(made)
  const desired = [
    { id: 1, target: targetOf(now) },
    { id: 2, target: targetOf(late), delayMs: 700 },
  ]
  const began = performance.now()
  made.relay.update(project, { destinations: desired })
  await until(() => times(now).length === 50)
  await until(() => late.connections() > 0)
  expect(performance.now() - began).toBeGreaterThan(690)
  await until(() => times(late).length === 50)
  expect(late.arrived.slice(0, 3).map(({ packet }) => packet.role)).toEqual(['header', 'header', 'key'])
  const sent = performance.now()
  encoder.send(...stream(1000, 1))
  await until(() => times(now).length === 100)
  await until(() => times(late).length > 50)
  expect(performance.now() - sent).toBeGreaterThan(690)
  await until(() => times(late).length === 100)
  expect(times(late)).toEqual(times(now))
})

test('delayed channels receive the rest after the encoder has left; the others disconnect immediately', async () => {
  const [made, now, late] = await setUp(2, { graceMs: 50 })
  const encoder = made.encode()
  await encoder.outcome
  made.relay.update(project, {
    destinations: [
      { id: 1, target: targetOf(now) },
      { id: 2, target: targetOf(late), delayMs: 2_500 },
    ],
  })
  const sent = performance.now()
  encoder.send(avcHeader(), aacHeader(), ...stream(0, 1))
  await until(() => times(now).length === 50)
  encoder.end()
  await until(() => times(late).length > 0)
  expect(performance.now() - sent).toBeGreaterThan(2_490)
  await until(() => made.events.some(({ type }) => type === 'ended'))
  expect(times(late).length).toBe(50)
  const ends = made.events.flatMap((event) =>
    event.type === 'destination' && event.report.state === 'stopped' ? [event.report.id] : [],
  )
  // The change of its delay had stopped the second channel once.
  expect(ends).toEqual([2, 1, 2])
})

test('stops all channels, delayed ones too, when the broadcast is stopped', async () => {
  const [made, now, late] = await setUp(1)
  await onAir(made)
  await until(() => times(now).length === 50)
  made.relay.update(project, {
    destinations: [
      { id: 1, target: targetOf(now) },
      { id: 2, target: targetOf(late), delayMs: 500 },
    ],
  })
  // In the same turn, so that no delay of this process lets the channel start before.
  made.relay.stop(project)
  await pause(800)
  expect(late.connections()).toBe(0)
})

test('restarts a channel when its delay changes on air', async () => {
  const [made, one] = await setUp(1)
  const encoder = await onAir(made)
  await until(() => times(one).length === 50)
  made.relay.update(project, { destinations: [{ id: 1, target: targetOf(one), delayMs: 300 }] })
  await until(() => one.connections() === 2)
  encoder.send(keyframe(2000))
  await until(() => times(one).at(-1) === 2000)
  made.relay.update(project, { destinations: [{ id: 1, target: targetOf(one) }] })
  expect(await until(() => one.connections() === 3)).toBe(true)
})

test('warns above the bitrate limit, then disconnects the encoder and refuses it for a while', async () => {
  const [made, one] = await setUp(1, { bitrate: { patienceMs: 1_000, refuseMs: 5_000 }, graceMs: 20_000 })
  const encoder = await onAir(made)
  await live(made, 1)
  made.relay.update(project, { destinations: [{ id: 1, target: targetOf(one) }], kbpsMax: 500 })
  const stop = sendTooMuch(encoder)
  onTestFinished(stop)
  const states = () => made.events.flatMap((event) => (event.type === 'bitrate' ? [event.state] : []))
  await until(() => states().includes('refused'))
  expect(states()).toEqual(['high', 'refused'])
  expect(made.samples.some(({ bitrate }) => bitrate.state === 'high' && bitrate.kbpsMax === 500)).toBe(true)
  stop()
  expect(made.events.findLast(({ type }) => type === 'source-lost')).toMatchObject({ how: 'bitrate' })
  expect(await made.encode().outcome).toMatch(/above what the tariff allows: 500 kbps/)
  while ((await made.encode().outcome) !== 'live') await pause(100)
})

test('does nothing within the bitrate limit and slightly above it', async () => {
  const [made] = await setUp(0, { bitrate: { patienceMs: 100, refuseMs: 1_000 } })
  const encoder = await onAir(made)
  made.relay.update(project, { destinations: [], kbpsMax: 1_000 })
  let at = 1000
  const timer = setInterval(() => encoder.send(interframe((at += 40), 4_000)), 40)
  onTestFinished(() => clearInterval(timer))
  await until(() => made.samples.length >= 3)
  expect(made.events.filter(({ type }) => type === 'bitrate')).toEqual([])
  // Within the tolerance.
  const limit = new BitrateLimit({ patienceMs: 100, refuseMs: 1_000 })
  limit.max = 1_000
  expect([1_150, 1_150, 1_151, 1_151].map((kbps, second) => limit.judge(kbps, second * 1_000))).toEqual([
    null,
    null,
    null,
    'high',
  ])
})

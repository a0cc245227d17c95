// A paused broadcast sends nothing to its channels, and begins no connection.
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { interframe, keyframe } from './testing/frames.ts'
import { live, onAir, project, setUp, targetOf, times, until } from './testing/rig.ts'

test('a failing channel does not retry during a pause, and is live after it', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000 })
  one.fault = 'close-on-publish'
  const encoder = await onAir(made)
  await until(() => (made.report(1)?.attempt ?? 0) > 1)
  const destinations = [{ id: 1, target: targetOf(one) }]
  made.relay.update(project, { destinations, paused: true })
  await until(() => made.report(1)?.nextRetry === null)
  const tries = one.connections()
  one.fault = 'none'
  // Several times the longest wait between two attempts of the rig.
  await wait(1_500)
  made.relay.retry(project, 1)
  await wait(500)
  expect(one.connections()).toBe(tries)
  expect(one.arrived).toEqual([])
  made.relay.update(project, { destinations })
  encoder.send(keyframe(5_000), interframe(5_040))
  await live(made, 1)
  await until(() => times(one).length > 1)
  // Nothing from before the pause.
  expect(times(one)).toHaveLength(2)
})

test('a connection that is being opened when the pause begins sends nothing until it ends', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000 })
  one.fault = 'slow'
  const encoder = await onAir(made)
  await until(() => made.report(1)?.state === 'publishing')
  const destinations = [{ id: 1, target: targetOf(one) }]
  made.relay.update(project, { destinations, paused: true })
  await until(() => made.report(1)?.state === 'idle')
  one.fault = 'none'
  await wait(1_000)
  expect(one.arrived).toEqual([])
  made.relay.update(project, { destinations })
  encoder.send(keyframe(5_000))
  await live(made, 1)
})

test('a channel that is switched on during a pause waits for its end', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000 })
  const encoder = await onAir(made)
  await live(made, 1)
  made.relay.update(project, { destinations: [], paused: true })
  await until(() => made.report(1)?.state === 'stopped')
  // Frames sent before may still be on their way.
  await until(() => one.publishers() === 0)
  const [{ length: arrived }, before] = [one.arrived, one.connections()]
  const destinations = [{ id: 1, target: targetOf(one) }]
  made.relay.update(project, { destinations, paused: true })
  await wait(500)
  expect([one.arrived.length, one.connections()]).toEqual([arrived, before])
  made.relay.update(project, { destinations })
  encoder.send(keyframe(5_000))
  await live(made, 1)
})

test('a player that connects during a pause receives nothing from before it', async () => {
  const [made] = await setUp(0, { graceMs: 60_000 })
  await onAir(made)
  await until(() => (made.relay.live(project)?.hub.group().length ?? 0) > 0)
  made.relay.update(project, { destinations: [], paused: true })
  expect(made.relay.live(project)?.hub.group()).toEqual([])
})

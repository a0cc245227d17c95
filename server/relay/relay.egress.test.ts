// Egress limit of a node: live outputs are not affected, new ones wait for room.
import { expect, onTestFinished, test } from 'vitest'
import { createEgress } from './egress.ts'
import { sendEvenly } from './testing/encoder.ts'
import { live, onAir, project, setUp, targetOf, until } from './testing/rig.ts'

test('reserves the current bitrate, keeps a tenth free, and returns released capacity', () => {
  const egress = createEgress(1_000)
  let kbps = 400
  const [first, second] = [egress.reserve(() => kbps), egress.reserve(() => 500)]
  expect([first, second].every(Boolean)).toBe(true)
  expect(egress.reserve(() => 1)).toBe(null)
  kbps = 300
  const third = egress.reserve(() => 100)
  expect(third).toBeTruthy()
  // A second release has no effect.
  third?.()
  third?.()
  kbps = 5_000
  expect(egress.reserve(() => 0)).toBe(null)
  first?.()
  expect(egress.reserve(() => 400)).toBeTruthy()
  expect(egress.reserve(() => 1)).toBe(null)
})

test('queues channels above the limit with a reason, and starts them when another one is refused or ends', async () => {
  const [made, strict, one, two] = await setUp(3, { egress: createEgress(650) })
  strict.fault = 'reject-publish'
  const encoder = await onAir(made, 0)
  onTestFinished(sendEvenly(encoder, 400))
  await live(made, 2)
  expect(made.report(1)).toMatchObject({ state: 'rejected', reason: 'publish-rejected' })
  expect(made.report(3)).toMatchObject({ state: 'idle', reason: 'egress' })
  made.relay.retry(project, 1)
  expect(made.report(1)).toMatchObject({ state: 'idle', reason: 'egress' })
  // A player is refused too.
  expect(made.relay.live(project)?.reserveEgress()).toBe(null)
  // A short cut releases no reservation.
  one.cut('reset')
  await until(() => one.connections() === 2)
  await live(made, 2)
  expect([strict, two].map((platform) => platform.connections())).toEqual([1, 0])
  made.relay.update(project, { destinations: [{ id: 3, target: targetOf(two) }] })
  await live(made, 3)
  const reports = made.events.flatMap((event) => (event.type === 'destination' ? [event.report] : []))
  expect(reports.filter(({ id }) => id === 3).map(({ state }) => state)).toEqual([
    'idle',
    'connecting',
    'publishing',
    'live',
  ])
})

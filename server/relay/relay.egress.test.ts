// A node that may not send more than so much: who is live goes on, the others wait until there is room.
import { expect, onTestFinished, test } from 'vitest'
import { createEgress } from './egress.ts'
import { sendEvenly } from './testing/encoder.ts'
import { live, onAir, project, setUp, targetOf, until } from './testing/rig.ts'

test('what is taken is what is sent now; a tenth stays free, and what is given back is there again', () => {
  const egress = createEgress(1_000)
  let kbps = 400
  const [first, second] = [egress.reserve(() => kbps), egress.reserve(() => 500)]
  expect([first, second].every(Boolean)).toBe(true)
  expect(egress.reserve(() => 1)).toBe(null)
  kbps = 300
  const third = egress.reserve(() => 100)
  expect(third).toBeTruthy()
  // Given back twice is given back once.
  third?.()
  third?.()
  kbps = 5_000
  expect(egress.reserve(() => 0)).toBe(null)
  first?.()
  expect(egress.reserve(() => 400)).toBeTruthy()
  expect(egress.reserve(() => 1)).toBe(null)
})

test('channels above it wait and say why, start when another one is refused or ends, and nobody else notices', async () => {
  const [made, strict, one, two] = await setUp(3, { egress: createEgress(650) })
  strict.fault = 'reject-publish'
  const encoder = await onAir(made, 0)
  onTestFinished(sendEvenly(encoder, 400))
  await live(made, 2)
  expect(made.report(1)).toMatchObject({ state: 'rejected', reason: 'publish-rejected' })
  expect(made.report(3)).toMatchObject({ state: 'idle', reason: 'egress' })
  made.relay.retry(project, 1)
  expect(made.report(1)).toMatchObject({ state: 'idle', reason: 'egress' })
  // Nor is there a place for a player.
  expect(made.relay.live(project)?.reserveEgress()).toBe(null)
  // A short cut costs nobody the place.
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

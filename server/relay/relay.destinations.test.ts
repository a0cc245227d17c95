// Destinations whose platforms and networks misbehave: they reconnect automatically, isolated from each other.
import { expect, test } from 'vitest'
import { interframe, keyframe, stream } from './testing/frames.ts'
import { quick } from './testing/encoder.ts'
import { live, onAir, project, type Rig, setUp, targetOf, times, until } from './testing/rig.ts'

test('sends every frame to every destination, headers and a keyframe first', async () => {
  const [made, ...some] = await setUp(3)
  await onAir(made)
  for (const one of some) {
    await until(() => times(one).length === 50)
    const roles = one.arrived.map(({ packet }) => `${packet.kind} ${packet.role}`)
    expect(roles.slice(0, 3)).toEqual(['video header', 'audio header', 'video key'])
    expect(times(one)).toEqual([...stream(0, 1)].map(({ timestamp }) => timestamp))
  }
})

test('starts a late destination with headers and the last keyframe', async () => {
  const [made, first, late] = await setUp(1)
  const encoder = await onAir(made)
  await until(() => times(first).length === 50)
  encoder.send(...stream(1000, 1))
  await until(() => times(first).length === 100)
  made.relay.update(project, {
    destinations: [first, late].map((one, index) => ({ id: index + 1, target: targetOf(one) })),
  })
  await until(() => times(late).length === 50)
  expect(late.arrived[0]?.packet.role).toBe('header')
  expect(late.arrived[2]?.packet).toMatchObject({ role: 'key', timestamp: 1000 })
})

test('reconnects a cut destination at a keyframe with headers; the other one is not affected', async () => {
  const [made, cut, other] = await setUp(2)
  const encoder = await onAir(made)
  await until(() => times(cut).length === 50)
  cut.cut('reset')
  await until(() => made.report(1)?.state === 'backoff')
  expect(made.report(1)).toMatchObject({ reason: 'socket', attempt: 1, reconnects: 1 })
  encoder.send(...stream(1000, 1))
  await live(made, 1)
  encoder.send(...stream(2000, 1))
  await until(() => times(other).length === 150)
  await until(() => times(cut).at(-1) === 2980)
  const again = cut.arrived.filter(({ connection }) => connection === cut.arrived.at(-1)?.connection)
  expect(again.slice(0, 3).map(({ packet }) => packet.role)).toEqual(['header', 'header', 'key'])
  expect(other.arrived.every(({ connection }) => connection === 1)).toBe(true)
})

test('retries an unreachable platform and is live soon after it returns', async () => {
  const [made, away] = await setUp(1)
  await away.down()
  const encoder = await onAir(made)
  await until(() => (made.report(1)?.attempt ?? 0) >= 3)
  expect(made.report(1)).toMatchObject({ reason: 'refused' })
  await away.up()
  await live(made, 1)
  encoder.send(keyframe(3000))
  await until(() => times(away).includes(3000))
})

test('drops whole groups for a stalled destination and detects it; the other one gets every frame', async () => {
  const [made, dead, other] = await setUp(2, { timing: { ...quick, stallMs: 4_000 } })
  const encoder = await onAir(made)
  await until(() => times(other).length === 50)
  await live(made, 1)
  dead.stall(true)
  // More than the kernel's buffers and the longest queue hold; sent in sequence, so that the other destination keeps up.
  for (let frame = 0; frame < 200; frame++) {
    const at = 1000 + frame * 100
    encoder.send(at % 1000 === 0 ? keyframe(at, 200_000) : interframe(at, 200_000))
    while (times(other).at(-1) !== at) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(times(other).length).toBe(50 + 200)
  await until(() => made.report(1)?.reason === 'stalled')
  // One failure is reported once, and retried after the shortest delay.
  const reported = made.events.flatMap((event) => (event.type === 'destination' ? [event.report] : []))
  const breaks = reported.filter(({ id, state }) => id === 1 && state === 'backoff')
  expect(breaks).toMatchObject([{ reason: 'stalled', attempt: 1, reconnects: 1 }])
  expect(breaks[0]?.dropped).toBeGreaterThan(0)
  expect(made.report(2)).toMatchObject({ state: 'live', dropped: 0, reconnects: 0 })
})

test.each([
  ['says no to the key', 'reject-publish', 'publish-rejected'],
  ['says no to the application', 'reject-connect', 'connect-rejected'],
] as const)('a platform that %s is left alone until somebody says otherwise', async (_, fault, reason) => {
  const [made, strict] = await setUp(1)
  strict.fault = fault
  await onAir(made)
  await until(() => made.report(1)?.state === 'rejected')
  expect(made.report(1)).toMatchObject({ reason })
  expect(made.report(1)?.words).toMatch(/Unknown key|No such application/)
  strict.fault = 'none'
  made.relay.retry(project, 1)
  await live(made, 1)
})

const statesOf = (made: Rig, id: number) =>
  made.events.flatMap((event) => (event.type === 'destination' && event.report.id === id ? [event.report.state] : []))

test.each(['close-after-start', 'reset-after-start', 'close-on-publish'] as const)(
  'a platform that does %s is never live, and the reason names the key and no system error',
  async (fault) => {
    const [made, strict] = await setUp(1, { timing: { ...quick, steadyMs: 1_000 } })
    strict.fault = fault
    await onAir(made)
    await until(() => made.report(1)?.attempt === 3)
    expect(made.report(1)).toMatchObject({ state: 'backoff', reason: 'closed-early', words: null, reconnects: 0 })
    expect(statesOf(made, 1)).not.toContain('live')
    strict.fault = 'none'
    await live(made, 1)
    expect(made.report(1)).toMatchObject({ reason: null, words: null })
  },
)

test('a channel is live after a stable time, and immediately when it reconnects after that', async () => {
  const [made, one] = await setUp(1, {
    timing: { ...quick, retries: { firstMs: 20, mostMs: 400, jitter: 0.5 }, steadyMs: 1_500 },
  })
  const encoder = await onAir(made)
  await until(() => times(one).length === 50)
  expect(made.report(1)?.state).toBe('publishing')
  const since = made.report(1)?.since ?? 0
  await live(made, 1)
  expect((made.report(1)?.since ?? 0) - since).toBeGreaterThanOrEqual(1_400)
  one.cut('reset')
  await until(() => made.report(1)?.state === 'backoff')
  encoder.send(...stream(1000, 1))
  await live(made, 1)
  const [connected, again] = made.events
    .flatMap((event) => (event.type === 'destination' ? [event.report] : []))
    .filter(({ state }) => state === 'publishing' || state === 'live')
    .slice(-2)
  expect([connected?.state, again?.state]).toEqual(['publishing', 'live'])
  expect((again?.since ?? 0) - (connected?.since ?? 0)).toBeLessThan(1_400)
  expect(made.report(1)).toMatchObject({ reconnects: 1 })
})

test.each([
  ['says nothing', 'mute', 'timeout'],
  ['speaks something else', 'gibberish', 'protocol'],
] as const)('a platform that %s is given up in time, and tried again', async (_, fault, reason) => {
  const [made, odd] = await setUp(1, { timing: { ...quick, publishMs: 1_000 } })
  odd.fault = fault
  await onAir(made)
  await until(() => made.report(1)?.state === 'backoff')
  expect(made.report(1)?.reason).toBe(reason)
  odd.fault = 'none'
  await live(made, 1)
})

test('follows a redirect to another server', async () => {
  const [made, front, back] = await setUp(1)
  front.fault = 'redirect'
  front.redirectTo = `rtmp://127.0.0.1:${back.port}/live3`
  const encoder = await onAir(made)
  await live(made, 1)
  encoder.send(...stream(1000, 1))
  await until(() => times(back).at(-1) === 1980)
  expect(made.report(1)).toMatchObject({ attempt: 0, reconnects: 0, reason: null })
  expect(times(front)).toEqual([])
  // The next connection starts at the original address.
  front.fault = 'none'
  back.cut('reset')
  await until(() => times(front).length > 0)
})

test('reports a redirect loop as refused, with the platform’s message', async () => {
  const [made, front] = await setUp(1)
  front.fault = 'redirect'
  front.redirectTo = `rtmp://127.0.0.1:${front.port}/live2`
  await onAir(made)
  await until(() => made.report(1)?.state === 'rejected')
  expect(made.report(1)).toMatchObject({ reason: 'connect-rejected', attempt: 1 })
  expect(made.report(1)?.words).toContain('Moved')
  expect(front.connections()).toBe(4)
})

test('sends everything to a platform that responds slowly', async () => {
  const [made, slow] = await setUp(1, { timing: { ...quick, publishMs: 40_000 } })
  slow.fault = 'slow'
  await onAir(made)
  await until(() => times(slow).length === 50)
  await live(made, 1)
  expect(made.report(1)).toMatchObject({ reconnects: 0 })
})

test('retries a platform that closes in the middle of a message; the others are not affected', async () => {
  const [made, broken, other] = await setUp(2)
  broken.fault = 'mid-message'
  const encoder = await onAir(made)
  await until(() => made.report(1)?.state === 'backoff')
  expect(['ended', 'socket']).toContain(made.report(1)?.reason)
  broken.fault = 'none'
  await live(made, 1)
  encoder.send(...stream(1000, 1))
  await until(() => times(broken).at(-1) === 1980)
  await until(() => times(other).length === 100)
  expect(other.connections()).toBe(1)
})

test('uses the stream number that the platform assigned', async () => {
  const [made, odd] = await setUp(1)
  odd.fault = 'other-stream'
  await onAir(made)
  expect(await until(() => times(odd).length === 50)).toBe(true)
})

test('switches destinations off and on while the others continue', async () => {
  const [made, first, second] = await setUp(2)
  const encoder = await onAir(made)
  await until(() => times(second).length === 50)
  made.relay.update(project, { destinations: [{ id: 1, target: targetOf(first) }] })
  await until(() => made.report(2)?.state === 'stopped')
  encoder.send(...stream(1000, 1))
  await until(() => times(first).length === 100)
  expect(times(second).length).toBe(50)
  expect(first.connections()).toBe(1)
})

// Several relay processes below one supervisor, on the same ports.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { servers } from '#contract/areas/operator/servers.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { relayToken } from '#server/app/testing/relay-node.ts'
import { encode } from '#server/relay/testing/encoder.ts'
import { aacHeader, avcHeader, stream } from '#server/relay/testing/frames.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { portTakenCode, relayProgram } from '#server/relay/program.ts'
import { eventually } from '#server/testing/eventually.ts'
import { onAirOf } from '#server/testing/on-air.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let operator: Person
let env: NodeJS.ProcessEnv
let port: number
const started: ChildProcess[] = []

beforeEach(async () => {
  world = await testApp()
  world.clock.set(new Date())
  operator = await newOperator(world)
  const { url } = await world.app.listen()
  port = await freePort()
  env = {
    ...process.env,
    SERVICE_URL: `${url.replace('http', 'ws')}/relay`,
    RELAY_TOKEN: relayToken(world),
    RELAY_NAME: 'fra-1',
    RELAY_PROCESSES: '2',
    RTMP_PORT: String(port),
    SRT_PORT: 'off',
    RECORDINGS_DIR: '',
    FFMPEG: '',
  }
})
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  await world.close()
})

function begin(more: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, relayProgram(), { env: { ...env, ...more }, stdio: 'ignore' })
  started.push(child)
  return child
}

async function accepting(): Promise<string[]> {
  world.clock.set(new Date())
  const { results } = (await world.api(servers.list, {}, { as: operator })).body
  return results
    .filter(({ node, state }) => state === 'accepting' && world.services.relay.has(node))
    .map(({ node }) => node)
}

/** Connects as a real encoder does: it tries again until a process accepts it. */
async function publish(person: Person) {
  const { key } = (await world.api(streamKeys.get, { project_id: person.projectId }, { as: person })).body
  const encoder = await eventually(async () => {
    const tried = encode(port, key)
    return (await tried.outcome) === 'live' && tried
  })
  encoder.send(avcHeader(), aacHeader(), ...stream(0, 2))
  return encoder
}

test('shares the port among processes, drains them with a signal, cancels that with another, and ends when they have ended', async () => {
  const child = begin({ RELAY_GENERATION: '1.0.0' })
  await eventually(async () => (await accepting()).length === 2)
  const ann = await world.user('Ann')
  const encoder = await publish(ann)
  expect(await accepting()).toEqual(['fra-1-1.0.0-1', 'fra-1-1.0.0-2'])
  begin({ RELAY_GENERATION: '1.1.0', RELAY_PROCESSES: '1' })
  await eventually(async () => (await accepting()).length === 3)

  const ended = once(child, 'exit')
  child.kill('SIGUSR2')
  await eventually(async () => (await accepting()).join() === 'fra-1-1.1.0-1')
  expect((await onAirOf(world, ann)).server).toContain('1.0.0')
  // A rollback: the process with the broadcast accepts again, and the one that has ended is started.
  child.kill('SIGURG')
  await eventually(async () => (await accepting()).length === 3)
  child.kill('SIGUSR2')
  await eventually(async () => (await accepting()).join() === 'fra-1-1.1.0-1')
  encoder.destroy()
  await eventually(async () => {
    // Until its ports are closed, the old process may get the encoder again.
    const again = await publish(ann)
    const isMoved = (await onAirOf(world, ann)).server === 'fra-1-1.1.0-1'
    if (!isMoved) again.destroy()
    return isMoved
  })
  expect(await ended).toEqual([0, null])
})

test.skipIf(process.platform !== 'linux')(
  'starts a process again that was ending already when its drain was cancelled',
  async () => {
    const child = begin()
    await eventually(async () => (await accepting()).length === 2)
    const children = () =>
      readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').map(Number)
    const [first = 0] = children()
    // It handles the signals together: the drain, the end, and the cancel that comes too late.
    process.kill(first, 'SIGSTOP')
    child.kill('SIGUSR2')
    await eventually(() => children().join() === String(first))
    process.kill(first, 'SIGTERM')
    child.kill('SIGURG')
    await eventually(() => children().length === 2)
    process.kill(first, 'SIGCONT')
    await eventually(() => !children().includes(first))
    await eventually(async () => (await accepting()).length === 2)
    expect(children()).toHaveLength(2)
  },
)

test('ends all processes within 10 s of SIGTERM, also with a broadcast on air', async () => {
  const child = begin()
  await eventually(async () => (await accepting()).length === 2)
  const ann = await world.user('Ann')
  await publish(ann)
  const ended = once(child, 'exit')
  const from = performance.now()
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(performance.now() - from).toBeLessThan(10_000)
  await eventually(async () => (await accepting()).length === 0)
})

test('refuses a port of another relay, unless both are generations', async () => {
  begin()
  await eventually(async () => (await accepting()).length === 2)
  expect(await once(begin(), 'exit')).toEqual([portTakenCode, null])
  expect(await once(begin({ RELAY_PROCESSES: '1', RELAY_NAME: 'other' }), 'exit')).toEqual([portTakenCode, null])
})

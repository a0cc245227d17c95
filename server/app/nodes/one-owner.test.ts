// One owner per project: two real nodes, one stream key, and a platform that counts its publishers.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { relayProgram } from '#server/relay/program.ts'
import { type Encoder, encode, sendEvenly } from '#server/relay/testing/encoder.ts'
import type { FaultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { aacHeader, avcHeader } from '#server/relay/testing/frames.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { type Pipe, pipe } from '#server/relay/testing/pipe.ts'
import { times, until } from '#server/relay/testing/rig.ts'
import { newChannel } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import { ageLease } from '#server/testing/nodes.ts'
import type { Person, World } from '#server/testing/test-app.ts'
import { liveStage } from '#server/app/testing/live-stage.ts'
import { encoderOf, nodeOf, relayToken } from '#server/app/testing/relay-node.ts'

const names = ['first', 'second'] as const

let world: World
let ann: Person
let platform: FaultyPlatform
let lines: Pipe[]
let nodes: RelayNode[]
const stops: (() => void)[] = []

beforeEach(async () => {
  const stage = await liveStage()
  ;({ world, ann, platform } = stage)
  await newChannel(world, ann, { rtmp_url: `rtmp://127.0.0.1:${platform.port}/live` })
  // A file database has one service; on PostgreSQL each node has its own.
  const other = process.env['DATABASE_URL'] ? await world.replica() : world.app
  const second = other === world.app ? stage.url : (await other.listen()).url
  lines = await Promise.all([stage.url, second].map((url) => pipe(Number(new URL(url).port))))
  nodes = await Promise.all(names.map((name, index) => begin(name, lines[index]?.port ?? 0)))
  // Services may not receive each other's messages immediately after their start.
  for (const { services } of [world.app, other])
    await eventually(async () => names.every((name) => services.relay.has(name)))
})
afterEach(async () => {
  stops.splice(0).forEach((stop) => stop())
  await Promise.all(nodes.map((node) => node.close()))
  await Promise.all(lines.map((line) => line.close()))
  await platform.stop()
  await world.close()
})

const begin = (node: string, port: number) =>
  nodeOf(world, `http://127.0.0.1:${port}`, {
    about: { node, city: 'Berlin', country: 'DE', lat: 52.5, long: 13.4, host: '127.0.0.1', pingHost: '' },
    graceMs: 60_000,
  })

const status = async () =>
  (await world.api(broadcasts.status, { project_id: ann.projectId }, { as: ann })).body as OnAir
const isAt = (server: string) =>
  eventually(async () => {
    const now = await status()
    return now.kind === 'live' && now.status === 'active' && now.server === server && now
  })

/** Encoder that publishes at a node until the test ends or `stop` is called. */
async function onAir(at: number | { readonly port: number }): Promise<{ encoder: Encoder; stop: () => void }> {
  const encoder = await encoderOf(world, ann, typeof at === 'number' ? (nodes[at] as RelayNode) : at)
  encoder.send(avcHeader(), aacHeader())
  const stop = sendEvenly(encoder, 500)
  stops.push(stop)
  return { encoder, stop }
}

/** Connects another encoder with the key. @returns `live`, or the refusal */
async function knock(index: number, suffix = ''): Promise<string> {
  const { key } = (await world.api(streamKeys.get, { project_id: ann.projectId }, { as: ann })).body
  const encoder = encode(nodes[index]?.port ?? 0, key + suffix)
  const outcome = await encoder.outcome
  encoder.destroy()
  return outcome
}

/** Waits until the platform receives new media. */
const arrives = () => {
  const before = times(platform).length
  return until(() => times(platform).length > before + 25)
}

test('refuses a second encoder at another node while the first one sends', async () => {
  await onAir(0)
  await isAt('first')
  expect(await knock(1)).toContain('Another encoder is on air with this key')
  await arrives()
  expect(await isAt('first')).toMatchObject({ reconnects: 0 })
  expect(platform.publishersMax()).toBe(1)
})

test('refuses a backup encoder at another node, also while the main encoder is lost', async () => {
  const refused = 'The main encoder is on the server Berlin (127.0.0.1). Connect the backup encoder there too'
  const { encoder, stop } = await onAir(0)
  await isAt('first')
  expect(await knock(1, '-backup')).toContain(refused)
  stop()
  encoder.destroy()
  await eventually(async () => (await status()).status === 'lost')
  expect(await knock(1, '-backup')).toContain(refused)
  await onAir(0)
  expect(await isAt('first')).toMatchObject({ reconnects: 1 })
  expect(await knock(0, '-backup')).toBe('live')
})

test('moves to the second node when the first encoder is silent, without a second publisher', async () => {
  const first = await onAir(0)
  const before = await isAt('first')
  await arrives()
  first.stop()
  await onAir(1)
  expect(await first.encoder.over).toContain('Another encoder took over')
  expect(await isAt('second')).toMatchObject({ broadcast_id: before && before.broadcast_id, reconnects: 1 })
  await arrives()
  expect(platform.publishersMax()).toBe(1)
  expect(await knock(0)).toContain('Another encoder is on air with this key')
})

test('an encoder that reconnects to another node keeps its broadcast', async () => {
  const first = await onAir(0)
  const before = await isAt('first')
  await arrives()
  first.stop()
  first.encoder.destroy()
  await onAir(1)
  expect(await isAt('second')).toMatchObject({ broadcast_id: before && before.broadcast_id })
  await arrives()
  expect(platform.publishersMax()).toBe(1)
})

test('stops a node that lost its lease while it was cut off, and drops its late facts', async () => {
  const first = await onAir(0)
  const before = await isAt('first')
  lines[0]?.cut(true)
  expect(await knock(1)).toContain('Another encoder is on air with this key')
  await ageLease(world, ann.projectId)
  await onAir(1)
  await isAt('second')
  lines[0]?.cut(false)
  expect(await first.encoder.over).toContain('Another encoder took over')
  const events = async () => {
    const which = { project_id: ann.projectId, broadcast_id: before ? before.broadcast_id : 0 }
    return (await world.api(broadcasts.events, which, { as: ann })).body.results.map(({ kind }) => kind)
  }
  await arrives()
  expect(await isAt('second')).toMatchObject({ broadcast_id: before && before.broadcast_id, reconnects: 1 })
  expect(await events()).not.toContain('ended')
  expect(await knock(0)).toContain('Another encoder is on air with this key')
})

test('a killed node keeps its project until the lease runs out', async () => {
  const port = await freePort()
  const env = {
    SERVICE_URL: `ws://127.0.0.1:${lines[0]?.port}/relay`,
    RELAY_TOKEN: relayToken(world),
    RELAY_NAME: 'third',
  }
  const child = spawn(process.execPath, relayProgram(), {
    env: { ...process.env, ...env, RTMP_PORT: String(port), SRT_PORT: 'off', ALLOW_PRIVATE_DESTINATIONS: 'on' },
    stdio: 'ignore',
  })
  const gone = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  await onAir({ port })
  const before = await isAt('third')
  await arrives()
  child.kill('SIGKILL')
  await gone
  expect(await knock(1)).toContain('Another encoder is on air with this key')
  await ageLease(world, ann.projectId)
  await onAir(1)
  expect(await isAt('second')).toMatchObject({ broadcast_id: before && before.broadcast_id })
  await arrives()
  expect(platform.publishersMax()).toBe(1)
})

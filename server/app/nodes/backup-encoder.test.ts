// A backup encoder at the real service: status, stop, resume, a replaced key, and a suspended project.
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { type Encoder, encode, sendEvenly } from '#server/relay/testing/encoder.ts'
import type { FaultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { aacHeader, avcHeader } from '#server/relay/testing/frames.ts'
import { until } from '#server/relay/testing/rig.ts'
import { newChannel } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import type { Person, World } from '#server/testing/test-app.ts'
import { liveStage } from '#server/app/testing/live-stage.ts'
import { encoderOf, nodeOf } from '#server/app/testing/relay-node.ts'

let world: World
let ann: Person
let node: RelayNode
let platform: FaultyPlatform

beforeEach(async () => {
  const stage = await liveStage()
  ;({ world, ann, platform } = stage)
  await newChannel(world, ann, { rtmp_url: `rtmp://127.0.0.1:${platform.port}/live` })
  node = await nodeOf(world, stage.url, { graceMs: 60_000, silentMs: 1_000 })
})
afterEach(async () => {
  await node.close()
  await platform.stop()
  await world.close()
})

const inProject = () => ({ project_id: ann.projectId })
const status = async () => (await world.api(broadcasts.status, inProject(), { as: ann })).body
/** Waits until the status on air says this of the backup. */
const backupIs = (state: 'connected' | 'on_air' | undefined) =>
  eventually(async () => {
    const now = await status()
    return now.kind === 'live' && now.status === 'active' && now.backup === state && now
  })

/** Sends media by the clock until the encoder ends. @param kbps marks its frames at the platform */
function sends(encoder: Encoder, kbps: number): Encoder {
  encoder.send(avcHeader(), aacHeader())
  const stop = sendEvenly(encoder, kbps)
  onTestFinished(stop)
  void encoder.over.then(stop)
  return { ...encoder, destroy: () => (stop(), encoder.destroy()) }
}
const frames = (kbps: number) => platform.arrived.filter(({ packet }) => packet.payload.length === (kbps * 20) / 8 + 5)
const [mainKbps, backupKbps] = [400, 800]

/** Puts a main encoder on air, and a backup beside it. */
async function both() {
  const main = sends(await encoderOf(world, ann, node), mainKbps)
  const { key } = (await world.api(streamKeys.get, inProject(), { as: ann })).body
  const second = encode(node.port, `${key}-backup`)
  expect(await second.outcome).toBe('live')
  const backup = sends(second, backupKbps)
  const now = await backupIs('connected')
  return { main, backup, key, id: now ? now.broadcast_id : 0 }
}

test('the status says that a backup is connected, and that it is on air, within one broadcast', async () => {
  const { main, id } = await both()
  await until(() => frames(mainKbps).length > 50)
  expect(frames(backupKbps)).toEqual([])
  main.destroy()
  const now = await backupIs('on_air')
  expect(now).toMatchObject({ broadcast_id: id, reconnects: 1 })
  await until(() => frames(backupKbps).length > 50)
  sends(await encoderOf(world, ann, node), mainKbps)
  expect(await backupIs('connected')).toMatchObject({ broadcast_id: id })
  const events = await world.app.db.selectFrom('broadcast_events').select('kind').orderBy('id').execute()
  expect(events.map(({ kind }) => kind).filter((kind) => kind !== 'live')).toEqual([
    'began',
    'source-lost',
    'backup-on',
    'source-back',
  ])
  expect(platform.connections()).toBe(1)
  expect(world.logged.join('')).not.toContain('-backup')
})

test('a stop keeps both encoders connected and off air, and both return', async () => {
  const { main, backup, id } = await both()
  let ended = 0
  for (const { over } of [main, backup]) void over.then(() => ended++)
  await world.api(broadcasts.stop, { ...inProject(), broadcast_id: id }, { as: ann })
  await eventually(async () => (await status()).kind === 'inactive')
  const before = platform.arrived.length
  expect(await status()).toMatchObject({ stopped_broadcast_id: id })
  expect((await world.api(broadcasts.play, { ...inProject(), broadcast_id: id }, { as: ann })).status).toBe(201)
  expect(await backupIs('connected')).not.toMatchObject({ broadcast_id: id })
  await until(() => platform.arrived.length > before + 50)
  expect(platform.arrived.slice(before).some(({ packet }) => packet.payload.length === (backupKbps * 20) / 8 + 5)).toBe(
    false,
  )
  main.destroy()
  await backupIs('on_air')
  expect(ended).toBe(1)
})

test('a stopped broadcast stays off air until both encoders have been stopped', async () => {
  const { main, backup, id } = await both()
  await world.api(broadcasts.stop, { ...inProject(), broadcast_id: id }, { as: ann })
  await eventually(async () => (await status()).kind === 'inactive')
  main.end()
  await main.over
  const again = sends(await encoderOf(world, ann, node), mainKbps)
  expect(await status()).toMatchObject({ kind: 'inactive', stopped_broadcast_id: id })
  for (const encoder of [again, backup]) encoder.end()
  expect(await eventually(async () => !('stopped_broadcast_id' in (await status())))).toBe(true)
  sends(await encoderOf(world, ann, node), mainKbps)
  expect(await backupIs(undefined)).not.toMatchObject({ broadcast_id: id })
})

test('a replaced key ends both encoders, and neither old key enters', async () => {
  const { main, backup, key } = await both()
  await world.api(streamKeys.rotate, inProject(), { as: ann })
  for (const encoder of [main, backup]) expect(await encoder.over).toContain('The stream key was replaced')
  expect(await eventually(async () => (await status()).kind === 'inactive')).toBe(true)
  for (const old of [key, `${key}-backup`]) expect(await encode(node.port, old).outcome).toContain('not known')
})

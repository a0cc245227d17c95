// A stopped broadcast stays off air when its encoder reconnects.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { history } from '#contract/areas/projects/history.ts'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { RelayNode } from '#server/relay/node.ts'
import type { FaultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { aacHeader, avcHeader, stream } from '#server/relay/testing/frames.ts'
import { flvHeader } from '#server/relay/media/flv.ts'
import { decodeErrors, folder, hasPrograms, probe, publish, sample } from '#server/relay/testing/programs.ts'
import { times, until } from '#server/relay/testing/rig.ts'
import { newChannel } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import type { Person, World } from '#server/testing/test-app.ts'
import { liveStage } from '#server/app/testing/live-stage.ts'
import { encoderOf, nodeOf } from '#server/app/testing/relay-node.ts'

let world: World
let ann: Person
let node: RelayNode
let platform: FaultyPlatform
let url: string

beforeEach(async () => {
  ;({ world, ann, platform, url } = await liveStage())
  await newChannel(world, ann, { rtmp_url: `rtmp://127.0.0.1:${platform.port}/live` })
  node = await nodeOf(world, url)
})
afterEach(async () => {
  await node.close()
  await platform.stop()
  await world.close()
})

const inProject = () => ({ project_id: ann.projectId })
const status = async () => (await world.api(broadcasts.status, inProject(), { as: ann })).body
const call = (op: typeof broadcasts.stop, broadcast_id: number) =>
  world.api(op, { ...inProject(), broadcast_id }, { as: ann })
const offAir = { kind: 'inactive', status: 'offline' }

/** On air, and then stopped by Ann. The encoder does not know that it was. */
async function stopped() {
  const encoder = await encoderOf(world, ann, node)
  encoder.send(avcHeader(), aacHeader(), ...stream(0, 1))
  await until(() => times(platform).length === 50)
  const now = await eventually(async () => {
    const found = await status()
    return found.kind === 'live' && found
  })
  const id = now ? now.broadcast_id : 0
  expect((await call(broadcasts.stop, id)).status).toBe(200)
  await eventually(async () => (await status()).kind === 'inactive')
  return { encoder, id }
}

const heldAs = (id: number) => ({ ...offAir, stopped_broadcast_id: id })

test('keeps the encoder connected, sends nothing, and records the user', async () => {
  const { encoder, id } = await stopped()
  const before = times(platform).length
  encoder.send(...stream(1_000, 1))
  expect(await status()).toEqual(heldAs(id))
  const { body } = await world.api(history.list, inProject(), { as: ann })
  expect(body.results.find(({ action }) => action === 'broadcast_ended')?.user_id).toBe(ann.id)
  const events = await world.api(broadcasts.events, { ...inProject(), broadcast_id: id }, { as: ann })
  expect(events.body.results.find(({ kind }) => kind === 'ended')?.reason).toBe('person')
  expect(times(platform).length).toBe(before)
})

test('stopped at the encoder as well, and started there: on air', async () => {
  const { encoder, id } = await stopped()
  encoder.end()
  expect(await eventually(async () => !('stopped_broadcast_id' in (await status())))).toBe(true)
  const next = await encoderOf(world, ann, node)
  next.send(avcHeader(), aacHeader(), ...stream(0, 1))
  expect(await eventually(async () => (await status()).kind === 'live')).toBe(true)
  expect(await status()).not.toMatchObject({ broadcast_id: id })
})

test('resumes with the connection that the encoder has', async () => {
  const { encoder, id } = await stopped()
  let isOver = false
  void encoder.over.then(() => (isOver = true))
  encoder.send(...stream(1_000, 1))
  const before = platform.arrived.length
  expect((await call(broadcasts.play, id)).status).toBe(201)
  expect(await eventually(async () => (await status()).kind === 'live')).toBe(true)
  expect(await status()).not.toMatchObject({ broadcast_id: id })
  encoder.send(...stream(2_000, 1))
  await until(() => times(platform).length === 100)
  // The codec headers were sent before the broadcast was stopped.
  expect(platform.arrived.slice(before, before + 3).map(({ packet }) => packet.role)).toEqual([
    'header',
    'header',
    'key',
  ])
  expect(isOver).toBe(false)
  expect((await call(broadcasts.play, id)).error?.name).toBe('BroadcastIsOver')
})

test.skipIf(!hasPrograms)(
  'ffmpeg, which does not reconnect by itself, goes on air again',

  async () => {
    const dir = folder()
    const { key } = (await world.api(streamKeys.get, inProject(), { as: ann })).body
    const source = await sample(dir, 6)
    await eventually(
      async () =>
        (await world.api(rtmpServers.list, { ...inProject(), interval: 1 }, { as: ann })).body.results.length > 0,
    )
    const ffmpeg = publish(source, `rtmp://127.0.0.1:${node.port}/live/${key}`, ['-stream_loop', '-1'])
    onTestFinished(async () => {
      await ffmpeg.stop()
      rmSync(dir, { recursive: true, force: true })
    })
    const id = await eventually(async () => {
      const found = await status()
      return found.kind === 'live' && found.broadcast_id
    })
    await until(() => times(platform).length > 50)
    await call(broadcasts.stop, id || 0)
    await eventually(async () => (await status()).kind === 'inactive')
    const before = platform.arrived.length
    expect((await call(broadcasts.play, id || 0)).status).toBe(201)
    await until(() => platform.arrived.length > before + 200)
    const again = platform.arrived.slice(before).map(({ packet }) => packet)
    const file = join(dir, 'again.flv')
    writeFileSync(
      file,
      Buffer.concat([flvHeader({ audio: true, video: true }), ...again.map((packet) => packet.tag())]),
    )
    expect(await decodeErrors(file)).toBe('')
    expect((await probe(file)).find(({ codec_type }) => codec_type === 'video')?.key).toBe(true)
    expect(ffmpeg.child.exitCode).toBe(null)
  },
)

test('an encoder that reconnects after the stop is not on air until a person lets it', async () => {
  const { encoder, id } = await stopped()
  encoder.destroy()
  const again = await encoderOf(world, ann, node)
  again.send(avcHeader(), aacHeader(), ...stream(0, 1))
  expect(await status()).toEqual(heldAs(id))
  expect((await call(broadcasts.play, id)).status).toBe(201)
  expect(await eventually(async () => (await status()).kind === 'live')).toBe(true)
  again.send(...stream(1_000, 1))
  await until(() => times(platform).length === 100)
})

test('a parked encoder whose key was replaced is not let on air', async () => {
  const { encoder, id } = await stopped()
  await world.api(streamKeys.rotate, inProject(), { as: ann })
  expect((await call(broadcasts.play, id)).status).toBe(201)
  expect(await encoder.over).toContain('not known')
  expect(await status()).toEqual(offAir)
})

test('the node dies with what it knew: the next one does not let it on air either', async () => {
  const { encoder, id } = await stopped()
  await node.close()
  await encoder.over
  node = await nodeOf(world, url)
  const again = await encoderOf(world, ann, node)
  again.send(avcHeader(), aacHeader(), ...stream(0, 1))
  expect(await status()).toEqual(heldAs(id))
})

test('an encoder that went without a goodbye and stayed away is a new one', async () => {
  const { encoder } = await stopped()
  encoder.destroy()
  // A report of the node that was on its way renews the hold once more.
  const isOver = async () => {
    world.clock.advance(61_000)
    return !('stopped_broadcast_id' in (await status()))
  }
  expect(await eventually(isOver)).toBe(true)
  const next = await encoderOf(world, ann, node)
  next.send(avcHeader(), aacHeader(), ...stream(0, 1))
  expect(await eventually(async () => (await status()).kind === 'live')).toBe(true)
})

// Channel limit of the tariff during a broadcast: channels above it stay disconnected until the limit allows them.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import type { RelayNode } from '#server/relay/node.ts'
import type { Encoder } from '#server/relay/testing/encoder.ts'
import { type FaultyPlatform, faultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { aacHeader, avcHeader, stream } from '#server/relay/testing/frames.ts'
import { upgrade } from '#server/testing/channels.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { encoderOf, nodeOf } from '#server/app/testing/relay-node.ts'

let world: World
let ann: Person
let node: RelayNode
let platforms: FaultyPlatform[]
let encoder: Encoder | undefined

beforeEach(async () => {
  world = await testApp({ ALLOW_PRIVATE_DESTINATIONS: 'on' })
  world.clock.set(new Date())
  ann = await world.user()
  platforms = []
  await upgrade(world, ann, 2)
  node = await nodeOf(world, (await world.app.listen()).url)
})
afterEach(async () => {
  encoder?.end()
  await node.close()
  for (const platform of platforms) await platform.stop()
  await world.close()
})

/** Sets the number of concurrent channels in the tariff. */
const allow = (count: number) => {
  const allowance = JSON.stringify({ channels: count, bitrate: 12_000, customChannels: true, customVideo: 0 })
  return world.app.db.updateTable('plan_terms').set({ allowance }).where('project_id', '=', ann.projectId).execute()
}

/** Adds an enabled channel with its own platform. */
async function channel(name: string): Promise<void> {
  const platform = await faultyPlatform()
  platforms.push(platform)
  const rtmp_url = `rtmp://127.0.0.1:${platform.port}/live`
  const project_id = ann.projectId
  const added = await world.api(addChannel.boosty, { project_id, name, rtmp_url, stream_key: 'key' }, { as: ann })
  const { channel_id } = added.body
  expect((await world.api(channels.setStatus, { project_id, channel_id, status: true }, { as: ann })).status).toBe(200)
}

/** Waits until exactly these channels are on air, 30 s at most. */
async function onAir(...names: string[]): Promise<void> {
  let now: unknown
  for (let left = 600; left > 0; left--) {
    const { body } = await world.api(broadcasts.status, { project_id: ann.projectId }, { as: ann })
    now = (body as OnAir).restreams?.map(({ name, state }) => `${name} ${state}`)
    if (JSON.stringify(now) === JSON.stringify(names.map((name) => `${name} live`))) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(now).toEqual(names)
}

test('disconnects channels above the tariff’s limit, also when it changes on air', async () => {
  await allow(3)
  for (const name of ['One', 'Two', 'Three']) await channel(name)
  await allow(2)
  encoder = await encoderOf(world, ann, node)
  encoder.send(avcHeader(), aacHeader(), ...stream(0, 1))
  await onAir('One', 'Two')
  expect(platforms.map((platform) => platform.connections())).toEqual([1, 1, 0])
  await allow(1)
  await onAir('One')
  await allow(3)
  await onAir('One', 'Two', 'Three')
  // The other channels are not affected.
  expect(platforms.map((platform) => platform.connections())).toEqual([1, 2, 1])
})

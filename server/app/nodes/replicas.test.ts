// Two services on one PostgreSQL: requests to one reach the node that is connected to the other.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { browserIngest } from '#contract/areas/broadcasts/browser-ingest.ts'
import { preview } from '#contract/areas/broadcasts/preview.ts'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { FlvReader } from '#server/relay/media/flv.ts'
import type { Config } from '#server/core/settings.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import type { Encoder } from '#server/relay/testing/encoder.ts'
import { faultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { browserClient, sent } from '#server/relay/testing/browser.ts'
import { aacHeader, avcHeader, stream } from '#server/relay/testing/frames.ts'
import { eventually } from '#server/testing/eventually.ts'
import type { Person, World } from '#server/testing/test-app.ts'
import type { App } from '#server/app/create-app.ts'
import { encoderOf, recordingWorld } from '#server/app/testing/relay-node.ts'

// A file database has one service.
const isFile = !process.env['DATABASE_URL']

let world: World
let ann: Person
let node: RelayNode
let encoder: Encoder
/** Service that the node is not connected to. */
let far: App
let farUrl: string
let url: string

beforeEach(async () => {
  ;({ world, ann, node, url } = await recordingWorld({ ALLOW_PRIVATE_DESTINATIONS: 'on' }))
})
afterEach(async () => {
  encoder?.end()
  await node.close()
  await world.close()
})

const own = () => ({ project_id: ann.projectId })
const there = () => ({ as: ann, through: far })

async function onAir(change: Partial<Config> = {}): Promise<number> {
  far = await world.replica(change)
  farUrl = (await far.listen()).url
  // Services may not receive each other's messages immediately after their start.
  await eventually(async () => far.services.relay.has('here'))
  encoder = await encoderOf(world, ann, node)
  encoder.send(avcHeader(), aacHeader(), ...stream(0, 1))
  return eventually(async () => (await world.api(broadcasts.list, own(), there())).body.results[0]?.id)
}

/** Watches the preview at the far service. @returns the types of its first two messages */
async function watchFar(): Promise<ReadonlySet<number>> {
  const { stream_path, ticket } = await eventually(async () => {
    const { body } = await world.api(preview.get, own(), there())
    return body.reason === null ? body : null
  })
  const answer = await fetch(`${farUrl}${stream_path}`, { headers: { authorization: `Preview ${ticket}` } })
  expect(answer.status).toBe(200)
  const picture = answer.body!.getReader()
  const [flv, got] = [new FlvReader(), [] as number[]]
  // Both headers, and the group since the keyframe.
  while (got.length < 27) for (const { type } of flv.read(Buffer.from((await picture.read()).value!))) got.push(type)
  await picture.cancel()
  return new Set(got.slice(0, 2))
}

test.skipIf(isFile)(
  'a browser streams through the service that the node is not connected to, with a ticket of the other one',
  async () => {
    far = await world.replica({})
    farUrl = (await far.listen()).url
    await eventually(async () => (await world.api(browserIngest.create, own(), there())).status === 201)
    const { ticket } = (await world.api(browserIngest.create, own(), { as: ann })).body
    const client = browserClient(`${farUrl.replace('http', 'ws')}/browser-ingest`, ticket)
    expect(await client.outcome).toBe('live')
    client.send(sent.headers(), sent.seconds(0, 1))
    await eventually(async () => (await world.api(broadcasts.status, own(), there())).body.kind === 'live')
    const again = browserClient(`${url.replace('http', 'ws')}/browser-ingest`, ticket)
    expect(await again.outcome).toBe('ticket')
    client.socket.close()
  },
)

test.skipIf(isFile)('both services show the preview', async () => {
  await onAir()
  expect(await watchFar()).toEqual(new Set([8, 9]))
})

test.skipIf(isFile)(
  'shows the preview at a replica with REPLICA_URL, whose shared address leads to the other one',
  async () => {
    const port = await freePort()
    await onAir({ publicUrl: url, port, replicaUrl: `http://127.0.0.1:${port}` })
    farUrl = `http://127.0.0.1:${port}`
    expect(await watchFar()).toEqual(new Set([8, 9]))
  },
)

test.skipIf(isFile)('either service can retry a channel and stop a broadcast', async () => {
  const platform = await faultyPlatform()
  platform.fault = 'reject-publish'
  const rtmp_url = `rtmp://127.0.0.1:${platform.port}/live`
  await world.api(addChannel.boosty, { ...own(), name: 'One', rtmp_url, stream_key: 'secret-key' }, { as: ann })
  const { results } = (await world.api(channels.short, own(), { as: ann })).body
  const channel_id = results[0]!.channel_id
  await world.api(channels.setStatus, { channel_id, status: true }, { as: ann })
  const broadcast_id = await onAir()
  const status = async () => (await world.api(broadcasts.status, own(), there())).body
  const becomes = (state: string) =>
    eventually(async () => {
      const now = await status()
      return now.kind === 'live' && now.restreams[0]?.state === state
    })
  // Without the request the retry would follow after ten minutes.
  await becomes('rejected')
  platform.fault = 'none'
  await world.api(broadcasts.retry, { ...own(), broadcast_id, channel_id }, there())
  await becomes('live')
  await world.api(broadcasts.stop, { ...own(), broadcast_id }, there())
  await eventually(async () => (await status()).kind === 'inactive')
  await eventually(async () => (await world.api(preview.get, own(), there())).body.reason === 'off_air')
  expect(await status()).toEqual({ kind: 'inactive', status: 'offline', stopped_broadcast_id: broadcast_id })
  await platform.stop()
})

test.skipIf(isFile)('both services serve a recording', async () => {
  await world.api(streamKeys.setRecord, { ...own(), record: true }, { as: ann })
  await world.api(streamKeys.setWait, { ...own(), wait_minutes: 0 }, { as: ann })
  const broadcast_id = await onAir()
  encoder.send(...stream(1000, 1))
  encoder.end()
  const one = await eventually(async () => {
    const { results } = (await world.api(recordings.list, { ...own(), broadcast_id }, there())).body
    return results[0]?.state === 'ready' ? results[0] : null
  })
  const { body } = await world.api(recordings.download, { ...own(), id: one.id }, there())
  const file = await fetch(farUrl + body.url)
  expect(file.status).toBe(200)
  const disk = readFileSync(join(world.dataDir, 'recordings', one.file))
  expect(Buffer.from(await file.arrayBuffer()).equals(disk)).toBe(true)

  // A disconnected node is unreachable immediately.
  expect(far.services.relay.has('here')).toBe(true)
  await node.close()
  await eventually(async () => !far.services.relay.has('here'))
  const late = await world.api(recordings.remove, { ...own(), id: one.id }, there())
  expect(late.body.success).toBe(true)
})
